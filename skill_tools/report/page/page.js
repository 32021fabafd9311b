// The report's page. Whatever comes from an environment, a task or a model becomes text nodes, never markup.
"use strict";

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/;
const MOST_ROWS = 400; // of the list at once: more make it slow to scroll, and a filter finds better
const LONG = 4000; // characters of a text, which is folded from there on
const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });

let data, pictures;
let chosen = []; // numbers of the episodes that the filters leave
let current = null;

/** An element; an attribute that begins with "on" is a listener, children are nodes or text. */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(9).filter((each) => each !== null && each !== undefined && each !== ""));
  return made;
}

/** Text with a visible name in the place of every character that would change how it is read. */
function safe(text) {
  const whole = String(text);
  if (!CONTROL.test(whole)) return [whole];
  return whole.split(new RegExp(`(${CONTROL.source})`)).map((part) => {
    if (!(part.length === 1 && CONTROL.test(part))) return part;
    const code = part.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    return el("span", { class: "mark", title: "a character that is not shown" }, code === "001B" ? "ESC" : `U+${code}`);
  });
}

function textBlock(text, differing) {
  const shown = differing === undefined ? safe(text) : marked(text, differing);
  if (text.length <= LONG) return el("pre", {}, shown);
  return el("details", {}, el("summary", {}, `${text.length.toLocaleString("en")} characters: `, el("code", {}, safe(text.slice(0, 120)))), el("pre", {}, shown));
}

/** A text with what is not as in another one marked: all between what both begin and end with. */
function marked(text, other) {
  if (text === other) return safe(text);
  let start = 0, end = 0;
  const most = Math.min(text.length, other.length);
  while (start < most && text[start] === other[start]) start += 1;
  while (end < most - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  return [safe(text.slice(0, start)), el("mark", {}, safe(text.slice(start, text.length - end)) ), safe(text.slice(text.length - end))];
}

const number = (value) => (typeof value === "number" ? NUMBER.format(value) : value === null || value === undefined ? "none" : String(value));
const mean = (values) => values.reduce((sum, each) => sum + each, 0) / values.length;
const scored = (episode) => typeof episode.return === "number";
const refused = (episode) => episode.steps.filter((step) => step[5]).length;

/** The points of a call on a screen: pairs of numbers among its arguments, or x and y. */
function points(called) {
  if (called === null || typeof called !== "object") return [];
  const pair = (value) => Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === "number");
  const found = Object.values(called).filter(pair);
  if (typeof called.x === "number" && typeof called.y === "number") found.push([called.x, called.y]);
  return found;
}

function picture(block, clicks) {
  const image = el("img", { alt: clicks.length ? `picture, with the point of ${clicks.map((each) => `step ${each.step}`).join(", ")} marked` : "picture that the agent sees" });
  const frame = el("span", { class: "picture" }, image);
  image.addEventListener("load", () => {
    for (const { point, step } of clicks) {
      if (point[0] > image.naturalWidth || point[1] > image.naturalHeight) continue;
      const ring = el("span", { class: "click", title: `step ${step}: ${point.join(", ")}` });
      ring.style.left = `${(100 * point[0]) / image.naturalWidth}%`;
      ring.style.top = `${(100 * point[1]) / image.naturalHeight}%`;
      frame.append(ring);
    }
  });
  image.addEventListener("error", () => frame.replaceWith(el("p", { class: "bad" }, "[a picture that cannot be shown]")));
  image.src = pictures[block.picture];
  return frame;
}

function blocks(list, clicks = [], other) {
  return list.map((block, place) => {
    if (block.type === "image") return picture(block, clicks);
    const theirs = other && other[place] && other[place].type !== "image" ? other[place].text : other ? "" : undefined;
    return textBlock(block.text, theirs);
  });
}

/** Clicks on the picture that the agent had before it when it made them: those up to the next picture. */
function clicksAfter(episode, from) {
  const found = [];
  for (let at = from; at < episode.steps.length; at += 1) {
    points(data.values[episode.steps[at][1]]).forEach((point) => found.push({ point, step: at + 1 }));
    if (data.values[episode.steps[at][2]].some((block) => block.type === "image")) break;
  }
  return found;
}

function saidBefore(episode, at) {
  return episode.said.filter((each) => each[0] === at).map(([, text, thoughts, [finish, read, written, seconds]]) => {
    const words = data.values[text], thought = data.values[thoughts];
    const told = [finish && `finish: ${finish}`, read && `${read} tokens read`, written && `${written} written`, typeof seconds === "number" && `${number(seconds)} s`].filter(Boolean);
    if (!words && !thought && !(episode.policy in data.policies === false && told.length)) return null;
    return el("div", { class: "said" },
      el("span", { class: "dim" }, "the model", told.length ? ` (${told.join(", ")})` : ""),
      thought ? el("details", {}, el("summary", {}, "its thoughts"), textBlock(thought)) : null,
      words ? textBlock(words) : null);
  });
}

/** What models inside were asked after ``at`` steps, and what they replied. */
function askedAt(episode, at) {
  return episode.asked.filter((each) => each[0] === at).map(([, role, purpose, model, seconds, asked, reply, error]) =>
    el("div", { class: "said asked" }, el("strong", {}, safe(role)), el("span", { class: "dim" }, safe(` ${purpose}, ${model}, ${number(seconds)} s`)),
      el("details", {}, el("summary", {}, "what it was asked"), textBlock(data.values[asked])),
      data.values[reply] ? textBlock(data.values[reply]) : null,
      error ? el("span", { class: "bad" }, safe(error)) : null));
}

/** One episode, step by step. differs: the place of the step that is another in ``other``; -1 is the prompt. */
function episodeView(episode, other, differs) {
  let earned = 0;
  const prompts = episode.prompt.map((place, at) => {
    const message = data.values[place];
    const theirs = other && other.prompt[at] !== undefined ? data.values[other.prompt[at]].content : other && [];
    return el("div", { class: differs === -1 && theirs && other.prompt[at] !== place ? "step differs" : "step" }, el("strong", {}, message.role),
      blocks(message.content, at === episode.prompt.length - 1 ? clicksAfter(episode, 0) : [], theirs || undefined));
  });
  const steps = episode.steps.map(([tool, args, seen, reward, done, error], at) => {
    earned += typeof reward === "number" ? reward : 0;
    const theirs = other && other.steps[at];
    const call = `${tool}(${JSON.stringify(data.values[args])})`;
    const theirCall = theirs && `${theirs[0]}(${JSON.stringify(data.values[theirs[1]])})`;
    const told = [`pays ${number(reward)}`, `return so far ${number(Number(earned.toFixed(9)))}`, error && `refused: ${error}`, done && "ends the episode"].filter(Boolean).join(", ");
    const hit = differs === at;
    return [saidBefore(episode, at), el("section", { class: `step${error ? " refused" : ""}${hit ? " differs" : ""}`, "data-step": at + 1 },
      el("strong", {}, `step ${at + 1} `), el("code", {}, theirCall === undefined || !hit ? safe(call) : marked(call, theirCall)),
      blocks(data.values[seen], clicksAfter(episode, at + 1), hit ? (theirs ? data.values[theirs[2]] : []) : undefined),
      el("div", { class: "dim" }, hit && theirs ? marked(told, toldOf(theirs, other, at)) : told)), askedAt(episode, at)];
  });
  const failure = data.values[episode.failure];
  const ending = episode.limit ? `${episode.end} (${episode.limit})` : episode.end;
  return el("article", { "aria-label": `${episode.policy} in ${episode.variant}` },
    el("p", {}, el("strong", {}, safe(episode.policy)), ` in ${episode.variant}, `, safe(episode.label), episode.task ? [", task ", safe(episode.task)] : "", episode.level ? [", level ", safe(episode.level)] : "", `, seed ${episode.seed}`, episode.sample ? `, sample ${episode.sample}` : ""),
    prompts, steps, saidBefore(episode, episode.steps.length), askedAt(episode, episode.steps.length),
    failure ? [el("strong", { class: "bad" }, "what broke"), textBlock(failure)] : null,
    el("p", {}, el("strong", {}, `ended: ${ending}, return ${number(episode.return)}`), `${episode.final ? `, of it ${number(episode.final)} paid at the end` : ""}, ${number(episode.seconds)} s`),
    Object.keys(episode.metrics).length ? el("p", { class: "metrics" }, "metrics: ", safe(means(episode.metrics))) : null);
}

function toldOf([, , , reward, done, error], episode, at) {
  const earned = episode.steps.slice(0, at + 1).reduce((sum, step) => sum + (typeof step[3] === "number" ? step[3] : 0), 0);
  return [`pays ${number(reward)}`, `return so far ${number(Number(earned.toFixed(9)))}`, error && `refused: ${error}`, done && "ends the episode"].filter(Boolean).join(", ");
}

/** The same script on the same task elsewhere. */
function twins(episode) {
  return data.episodes.map((each, at) => at).filter((at) => {
    const each = data.episodes[at];
    return each !== episode && each.policy === episode.policy && each.label === episode.label && each.sample === episode.sample && each.variant !== episode.variant;
  });
}

function firstDifference(one, two) {
  if (one.prompt.join() !== two.prompt.join()) return -1;
  const most = Math.max(one.steps.length, two.steps.length);
  for (let at = 0; at < most; at += 1) if (JSON.stringify(one.steps[at]) !== JSON.stringify(two.steps[at])) return at;
  return null;
}

/** Open an episode, beside another if one is named. */
function open(at, besides = null, step, moved = true) {
  const episode = data.episodes[at];
  if (!episode) return;
  current = at;
  const other = besides === null ? null : data.episodes[besides];
  const differs = other ? (step === undefined || step === null ? firstDifference(episode, other) : step) : null;
  const same = twins(episode);
  const choice = el("select", { id: "beside", onchange: (event) => go(at, event.target.value === "" ? null : Number(event.target.value)) },
    el("option", { value: "" }, "nothing"), same.map((each) => el("option", { value: each, selected: each === besides }, data.episodes[each].variant)));
  const told = !other ? "" : differs === null ? "The two are the same, step for step." : differs === -1 ? "The two differ in the prompt." : `The two differ first at step ${differs + 1}${data.varies.length ? " (or in what may vary, which is not left out here)" : ""}.`;
  const place = chosen.indexOf(at);
  document.getElementById("reader").replaceChildren(
    el("div", { class: "bar" },
      el("button", { id: "previous", onclick: () => step_by(-1) }, "← Previous"), el("button", { id: "next", onclick: () => step_by(1) }, "Next →"),
      el("span", { id: "position", class: "dim", "aria-live": "polite" }, place < 0 ? "not in the list" : `${place + 1} of ${chosen.length} in the list`),
      same.length ? el("label", {}, "beside it: ", choice) : null, el("span", { class: "dim" }, "keys: ← → or p n")),
    told ? el("p", { id: "difference" }, told) : "",
    el("div", { class: other ? "sides two" : "sides" }, episodeView(episode, other, differs), other ? episodeView(other, episode, differs) : null));
  document.querySelectorAll("#rows tr.open").forEach((row) => row.classList.remove("open"));
  const row = document.querySelector(`#rows tr[data-number="${at}"]`);
  if (row) row.classList.add("open");
  const hit = document.querySelector("#reader .differs");
  if (hit && moved) hit.scrollIntoView({ block: "center" });
  else if (moved) document.getElementById("reader").scrollIntoView();
}

/** Open an episode at once, and remember it: who presses a key twice is two episodes on. */
function go(at, besides = null, step = null) {
  history.pushState(null, "", `#episode=${at}${besides === null ? "" : `&beside=${besides}`}${step === null ? "" : `&step=${step}`}`);
  open(at, besides, step);
}

function step_by(by) {
  const place = chosen.indexOf(current);
  const next = place < 0 ? 0 : place + by;
  if (next >= 0 && next < chosen.length) go(chosen[next]);
}

function follow(moved = true) {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (asked.has("finding")) {
    const found = data.findings.find((each) => each.check === asked.get("finding") && each.episode !== undefined);
    if (found) return open(found.episode, found.other === undefined ? null : found.other, found.step, moved);
  }
  if (asked.has("episode")) {
    const optional = (name) => (asked.has(name) ? Number(asked.get(name)) : null);
    return open(Number(asked.get("episode")), optional("beside"), optional("step"), moved);
  }
  return null;
}

function table(caption, heads, rows, attributes = {}) {
  const cell = (tag, value, at) => el(tag, { class: heads[at] && heads[at].number ? "number" : null, scope: tag === "th" ? "col" : null }, value);
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    el("table", attributes, el("caption", {}, caption), el("thead", {}, el("tr", {}, heads.map((head, at) => cell("th", head.name || head, at)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((value, at) => cell("td", value, at)))))));
}

function head() {
  const report = data.report, made = document.getElementById("head");
  const verdict = !report ? null : el("strong", { class: !report.ok ? "bad" : ["not judged", "incomplete"].includes(report.word) ? "look" : "good" }, report.word);
  const counts = report ? Object.entries(report.counts).map(([status, count]) => `${count} ${STATUS[status] || status}`).join(", ") : "";
  if (data.report) made.querySelector("h1").append(": ", verdict.cloneNode(true));
  made.append(
    data.about ? el("p", {}, safe(data.about)) : "",
    el("p", { id: "verdict" }, report ? `${counts}; ${report.tasks} tasks of ${report.split}, ${number(report.seconds)} s` : `${data.episodes.length} episodes`, data.origin ? el("span", { class: "dim" }, " ", safe(data.origin)) : ""),
    (report ? report.unjudged : []).map((each) => el("p", {}, el("strong", {}, "To be judged, the environment needs "), safe(each), ".")),
    Object.keys(data.pages).length ? el("p", {}, "Each split has its own page: ", Object.entries(data.pages).map(([split, page]) => [el("a", { href: page }, split), " "])) : "",
    el("nav", { "aria-label": "on this page" }, [["findings", "Checks"], ["variants", "Variants"], ["study", "Study"], ["plots", "Plots"], ["episodes", "Episodes"]].filter(([id]) => document.getElementById(id)).map(([id, name]) => el("a", { href: `#${id}` }, name))));
}

const STATUS = { pass: "checks passed", fail: "failed", warn: "to look at", note: "noted", excepted: "declared exceptions", skip: "skipped" };
const LOOK = { fail: "bad", warn: "look", note: "", excepted: "dim", pass: "good", skip: "dim" };

function findings() {
  return data.report ? el("section", { id: "findings" }, el("h2", {}, "Checks"), cards(data.findings)) : null;
}

/** Findings, of a report or of a study: a card for each that asks for something, and the rest by reason. */
function cards(all) {
  const told = all.filter((each) => !["pass", "skip"].includes(each.status));
  const shown = told.map((each) => el("div", { class: "step" },
    el("strong", { class: LOOK[each.status] }, each.status), " ", el("strong", {}, `${each.check} ${each.name}`), " ", el("span", { class: "dim" }, data.rules[each.check] || ""),
    textBlock(each.message), each.status !== "excepted" && each.fix ? el("p", { class: "dim" }, "fix: ", safe(each.fix)) : "",
    each.episode === undefined ? "" : el("p", {}, el("a", { href: `#episode=${each.episode}${each.other === undefined ? "" : `&beside=${each.other}&step=${each.step}`}` }, each.other === undefined ? "see the episode" : "see the two episodes side by side"), each.replay ? [" ", el("code", {}, safe(each.replay))] : "")));
  const rest = (status) => all.filter((each) => each.status === status);
  const quiet = [["pass", "passed"], ["skip", "had nothing to look at"]].filter(([status]) => rest(status).length).map(([status, words]) =>
    el("details", {}, el("summary", {}, `${rest(status).length} checks ${words}`), table(words, ["check", "rule", "why"], rest(status).map((each) => [`${each.check} ${each.name}`, data.rules[each.check] || "", safe(each.message || each.why)]))));
  return [shown.length ? shown : el("p", {}, "Nothing was found."), quiet];
}

function variants() {
  if (!data.report) return null;
  const policies = [...new Set(data.report.variants.flatMap((each) => each.scores.map((score) => score.policy)))];
  const heads = ["variant", "split", ...policies.map((policy) => ({ name: el("span", { title: data.policies[policy] || "" }, safe(policy)), number: true })), { name: "episodes", number: true }, { name: "failed", number: true }];
  const sum = (each, name) => each.scores.reduce((total, score) => total + score[name], 0);
  const name = (each) => (each.framework === "domain" ? "bare domain" : `${each.framework} ${each.versions}`);
  const cell = (score) => (score ? el("span", { title: ends(score.ends) }, score.text || "none") : "");
  const rows = data.report.variants.map((each) => [name(each), each.split, ...policies.map((policy) => cell(each.scores.find((score) => score.policy === policy))),
    each.broken ? "0" : sum(each, "episodes"), each.broken ? el("strong", { class: "bad" }, "did not run") : sum(each, "failed")]);
  const broken = data.report.variants.filter((each) => each.broken).map((each) => el("div", { class: "step" }, el("strong", { class: "bad" }, `${each.framework} did not run`), textBlock(each.broken)));
  const ended = data.report.variants.filter((each) => !each.broken).flatMap((each) => each.scores.map((score) => [name(each), each.split, safe(score.policy), ends(score.ends)]));
  const measured = data.report.variants.flatMap((each) => each.scores.filter((score) => Object.keys(score.metrics).length).map((score) => [name(each), each.split, safe(score.policy), safe(means(score.metrics))]));
  return el("section", { id: "variants" }, el("h2", {}, "Variants"), table("mean return of each policy in each variant", heads, rows), broken,
    measured.length ? table("mean metrics of each policy in each variant", ["variant", "split", "policy", "metrics"], measured) : null,
    el("details", {}, el("summary", {}, "how episodes ended"), table("how the episodes of each policy ended", ["variant", "split", "policy", "ends"], ended)),
    data.report.further.map(([name, told]) => el("p", {}, el("strong", {}, name), ": ", safe(told), ".")));
}

const means = (metrics) => Object.entries(metrics).map(([name, value]) => `${name} ${number(Number(value.toFixed(4)))}`).join(", ");

const ends = (counts) => Object.entries(counts).map(([end, count]) => `${count} ${end}`).join(", ");

function groups(list, key) {
  const found = new Map();
  for (const each of list) {
    const name = key(each);
    if (found.has(name)) found.get(name).push(each);
    else found.set(name, [each]);
  }
  return found;
}

/** A plot with its numbers as a table below, for who does not see it. */
function plot(title, kind, labels, series, axes, options = {}) {
  const canvas = el("canvas", { role: "img", "aria-label": `${title}: the numbers are in the table below` });
  const ink = getComputedStyle(document.documentElement).getPropertyValue("--dim");
  const scale = (text, more = {}) => ({ title: { display: true, text, color: ink }, ticks: { color: ink }, grid: { color: "#8883" }, ...more });
  const figure = el("figure", {}, el("figcaption", {}, el("h3", {}, title)), el("div", { class: "plot" }, canvas),
    el("details", {}, el("summary", {}, "the numbers"), table(title, [axes[0], ...series.map((each) => ({ name: each.label, number: true }))], labels.map((label, at) => [String(label), ...series.map((each) => number(each.data[at]))]))));
  requestAnimationFrame(() => new Chart(canvas, { type: kind, data: { labels, datasets: series.map((each, at) => ({ ...each, backgroundColor: COLOURS[at % COLOURS.length], borderColor: COLOURS[at % COLOURS.length] })) },
    options: { responsive: true, maintainAspectRatio: false, animation: false, plugins: { legend: { labels: { color: ink } } }, scales: { x: scale(axes[0], options.x), y: scale(axes[1], { beginAtZero: true, ...options.y }) } } }));
  return figure;
}
const TESTS = new Set(["malformed", "early_stop", "past_done", "turn_limit", "example"]); // players who try the environment, and are no measure of it
const COLOURS = ["#2f6fd0", "#d9822b", "#2a9d6f", "#b5485d", "#7a5bc7", "#8a8f98", "#c2a000", "#3aa7b8"]; // told apart in light and dark

function plots() {
  const whole = data.episodes.filter(scored), made = [];
  if (whole.length < 2) return null;
  const policies = [...groups(whole, (each) => each.policy).keys()].filter((name) => !TESTS.has(name) && !name.includes(" ")).slice(0, 8);
  if (!policies.length) return null;
  const levels = [...new Set(whole.map((each) => each.level || "all tasks"))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const average = (list) => (list.length ? Number(mean(list.map((each) => each.return)).toFixed(4)) : null);
  made.push(plot("Mean return by level and policy", "bar", levels, policies.map((policy) => ({ label: policy, data: levels.map((level) => average(whole.filter((each) => each.policy === policy && (each.level || "all tasks") === level))) })), ["level", "mean return"]));
  const longest = Math.max(...whole.map((each) => each.steps.length)), width = Math.max(1, Math.ceil((longest + 1) / 15));
  const bins = Array.from({ length: Math.floor(longest / width) + 1 }, (_, at) => at);
  made.push(plot("Length of episodes", "bar", bins.map((at) => (width === 1 ? `${at}` : `${at * width} to ${(at + 1) * width - 1}`)), policies.map((policy) => ({ label: policy, data: bins.map((at) => whole.filter((each) => each.policy === policy && Math.floor(each.steps.length / width) === at).length) })), ["steps", "episodes"], { x: { stacked: true }, y: { stacked: true } }));
  const timed = groups(whole.filter((each) => each.seconds > 0 && each.steps.length), (each) => each.variant);
  if (timed.size) made.push(plot("Seconds per step", "bar", [...timed.keys()], [{ label: "median of episodes", data: [...timed.values()].map((list) => { const all = list.map((each) => each.seconds / each.steps.length).sort((a, b) => a - b); return Number(all[Math.floor(all.length / 2)].toPrecision(3)); }) }], ["variant", "seconds"]));
  return el("section", { id: "plots" }, el("h2", {}, "Plots"), el("div", { class: "plots" }, made));
}

const FILTERS = {
  variant: (each) => each.variant, policy: (each) => each.policy, split: (each) => each.split, level: (each) => each.level,
  end: (each) => each.end, return: (each) => (scored(each) ? number(each.return) : "none"), calls: (each) => (refused(each) ? "some refused" : "none refused"),
};

function episodes() {
  const controls = Object.entries(FILTERS).map(([name, read]) => {
    const values = [...new Set(data.episodes.map(read))].sort((a, b) => String(a).localeCompare(String(b), "en", { numeric: true }));
    if (values.length < 2) return null;
    return el("label", {}, name, el("select", { id: `filter-${name}`, onchange: list }, el("option", { value: "" }, "all"), values.map((value) => el("option", { value }, safe(value || "none")))));
  });
  return el("section", { id: "episodes" }, el("h2", {}, "Episodes"),
    el("div", { class: "filters" }, controls, el("label", {}, "task or text", el("input", { id: "filter-text", type: "search", oninput: list }))),
    el("p", { id: "count", class: "dim", "aria-live": "polite" }), el("div", { class: "list", tabindex: 0, role: "region", "aria-label": "list of episodes" }, el("div", { id: "rows" })), el("div", { id: "reader" }));
}

function list() {
  const value = (id) => (document.getElementById(id) || {}).value || "";
  const sought = value("filter-text").toLowerCase();
  const says = (each) => !sought || `${each.label} ${each.task}`.toLowerCase().includes(sought) || each.steps.some((step) => data.values[step[2]].some((block) => (block.text || "").toLowerCase().includes(sought)));
  chosen = data.episodes.map((_, at) => at).filter((at) => {
    const each = data.episodes[at];
    return Object.entries(FILTERS).every(([name, read]) => !value(`filter-${name}`) || String(read(each)) === value(`filter-${name}`)) && says(each);
  });
  const rows = chosen.slice(0, MOST_ROWS).map((at) => {
    const each = data.episodes[at];
    return el("tr", { "data-number": at, class: at === current ? "open" : null, onclick: () => go(at) },
      el("td", {}, el("a", { href: `#episode=${at}` }, safe(`${each.split}/${each.index ?? "?"}`))), [each.variant, each.policy, each.level, each.seed, each.steps.length, refused(each), number(each.return), each.limit ? `${each.end} (${each.limit})` : each.end, number(each.seconds)].map((text) => el("td", {}, safe(text))));
  });
  document.getElementById("rows").replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, ["task", "variant", "policy", "level", "seed", "steps", "refused", "return", "end", "seconds"].map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, rows)));
  document.getElementById("count").textContent = `${chosen.length} of ${data.episodes.length} episodes${chosen.length > MOST_ROWS ? `; the first ${MOST_ROWS} are listed` : ""}`;
}

async function unpack() {
  const packed = Uint8Array.from(atob(document.getElementById("data").textContent), (each) => each.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(plain).text());
}

async function start() {
  data = await unpack();
  pictures = document.getElementById("pictures").textContent.trim().split("\n");
  const page = document.getElementById("page");
  page.replaceChildren(...[findings(), variants(), study(data.study), plots(), data.episodes.length ? episodes() : null].filter(Boolean));
  head();
  if (data.episodes.length) {
    list();
    const first = data.findings.find((each) => each.status === "fail" && each.episode !== undefined);
    const oracle = data.episodes.findIndex((each) => each.policy === "oracle" && each.variant !== "domain");
    if (location.hash.includes("episode=") || location.hash.includes("finding=")) follow();
    else if (first) open(first.episode, first.other === undefined ? null : first.other, first.step, false);
    else open(oracle < 0 ? 0 : oracle, null, null, false);
  }
  addEventListener("hashchange", () => follow());
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "SELECT", "TEXTAREA"].includes(document.activeElement.tagName)) return;
    if (["ArrowRight", "n", "j"].includes(event.key)) step_by(1);
    else if (["ArrowLeft", "p", "k"].includes(event.key)) step_by(-1);
    else return;
    event.preventDefault();
  });
  document.body.dataset.ready = "yes";
}

start().catch((error) => {
  document.getElementById("page").replaceChildren(el("p", { class: "bad" }, `This browser cannot show the page (${error}). report.md beside it has the same findings.`));
});
