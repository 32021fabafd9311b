"""Wrong programs for graders of programs: mutants and their inputs, and programs that tamper with the process."""
