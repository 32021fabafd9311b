// The part of the page that tells of a study: whether a model can learn from the environment.

const BEST = 5; // blind players shown at once, of often a hundred

const players = (caption, rows) => table(caption, ["player", "level", { name: "mean return", number: true }, { name: "of the oracle's", number: true }, { name: "episodes", number: true }], rows);
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/** Everything of a study (learnability/model.py), or null where none was made. */
function study(found) {
  if (!found) return null;
  const colour = { teachable: "good", "hard to start": "look", flat: "bad", "too easy": "look" };
  const skills = found.curves.length ? found.curves[0].rungs.map((rung) => rung.epsilon).reverse() : [];
  const names = skills.map((epsilon) => (epsilon === 0 ? "oracle" : epsilon === 1 ? "random play" : `${Math.round(100 * epsilon)} %`));
  const along = (curve, read) => [...curve.rungs].reverse().map((rung) => Number(read(rung).toFixed(4)));
  const lines = (read) => found.curves.map((curve) => ({ label: curve.level, data: along(curve, read), tension: 0, pointRadius: 4 }));
  const rung = (curve, epsilon) => curve.rungs.find((each) => each.epsilon === epsilon);
  const heads = ["level", { name: "tasks", number: true }, ...skills.map((_, at) => ({ name: names[at], number: true })), { name: "rank correlation", number: true }, { name: "one mistake costs", number: true }];
  const rows = found.curves.map((curve) => [curve.level, curve.tasks, ...skills.map((epsilon) => `${rung(curve, epsilon).mean.toFixed(3)} ± ${rung(curve, epsilon).half.toFixed(3)}`), curve.rank.toFixed(2), curve.mistake_cost === null ? "none seen" : curve.mistake_cost.toFixed(3)]);
  const lazy = [...found.lazy].sort((a, b) => b.mean - a.mean).map((each) => [safe(each.words), each.level, each.mean.toFixed(3), `${Math.round(100 * each.share)} %`, each.episodes]);
  return el("section", { id: "study" }, el("h2", {}, "Study: can a model learn from it?"),
    el("p", {}, el("strong", { class: colour[found.verdict] || "" }, found.verdict), ": ", safe(found.because)),
    el("p", { class: "dim" }, `${found.episodes} episodes of ${found.tasks} of ${found.size} tasks of ${found.split}, ${found.samples} samples each, ${number(found.seconds)} s. `, [`random calls are ${found.drawn}`, found.how_oracle_goes_on, found.short].filter(Boolean).map((each) => [safe(sentence(each)), " "]), found.at ? `Made at ${found.at}.` : ""),
    (found.changed || []).length ? el("p", { class: "look" }, `Since then ${found.changed.join(", ")} changed: study again.`) : "",
    cards(found.findings),
    found.advice.length ? [el("h3", {}, "Advice"), el("ul", {}, found.advice.map((each) => el("li", {}, safe(sentence(each)))))] : "",
    skills.length ? [table("mean return by skill, with the half width of its 95 % interval", heads, rows),
      el("div", { class: "plots" },
        plot("Return by skill", "line", names, lines((each) => each.mean), ["share of random calls", "mean return"]),
        plot("Groups whose samples earn the same", "line", names, lines((each) => each.flat_share), ["share of random calls", "share of the tasks"], { y: { min: 0, max: 1 } }),
        plot("Length of episodes by skill", "line", names, lines((each) => each.mean_steps), ["share of random calls", "calls"]))] : "",
    lazy.length ? [players("the best blind players", lazy.slice(0, BEST)), lazy.length > BEST ? el("details", {}, el("summary", {}, `${lazy.length - BEST} more`), players("further players who do not look", lazy.slice(BEST))) : ""] : "",
    (found.models || []).map(model));
}

/** What the samples of one model tell (learnability/sampled.py). */
function model(found) {
  const told = (estimate) => (estimate ? `${estimate.mean.toFixed(3)}${estimate.half === null ? "" : ` ± ${estimate.half.toFixed(3)}`}` : "none");
  const share = (part) => (part === null || part === undefined ? "none" : `${Math.round(100 * part)} %`);
  const levels = found.levels.length > 1 ? [found.overall, ...found.levels] : [found.overall];
  const ks = Object.keys(found.overall.passed);
  const heads = ["level", { name: "tasks", number: true }, { name: "episodes", number: true }, { name: "mean return", number: true }, ...ks.map((k) => ({ name: `pass@${k}`, number: true })), { name: "groups that teach nothing", number: true }];
  const rows = levels.map((each) => [each.level || "all", each.tasks, each.episodes, told(each.mean_return), ...ks.map((k) => told(each.passed[k])), share(each.groups.zero_gradient)]);
  const errors = Object.entries(found.overall.errors).map(([kind, each]) => [safe(kind), each.times, each.episodes]);
  const cost = found.expense, context = cost.context || [];
  return el("section", {}, el("h3", {}, safe(found.model), ` in ${found.framework}`),
    table(`what ${found.model} earned`, heads, rows),
    el("p", {}, `In the mean ${number(cost.turns)} turns and ${number(cost.seconds)} s an episode`, cost.prompt === null ? "" : `, ${number(cost.prompt)} tokens read and ${number(cost.completion)} written`, cost.cost === null ? "" : `, ${number(cost.cost_per_episode)} an episode, ${number(cost.cost)} in all`, ". ", safe(found.ended || "")),
    found.advice.length ? el("ul", {}, found.advice.map((each) => el("li", {}, safe(each)))) : "",
    found.warnings.map((each) => el("p", { class: "look" }, safe(each))),
    errors.length ? table("errors by kind", ["kind", { name: "times", number: true }, { name: "episodes", number: true }], errors) : "",
    context.length > 1 ? el("div", { class: "plots" }, plot(`How the context of ${found.model} grows`, "line", context.map((_, at) => at + 1), [{ label: "median tokens of the prompt", data: context, tension: 0 }], ["turn", "tokens"])) : "");
}
