// Prints the results of a run as a table.

/** The most failures that are listed. */
const MAX_LISTED = 20;

/** Prints the result. @returns whether all writes were stored once and all reads succeeded */
export function report({ faults, account, rows, disagreement, hasVolume, restarts }) {
  const print = (...lines) => process.stdout.write(`${lines.join("\n")}\n`);
  print("", line("fault", "times", "works again after, at most"), line());
  for (const [title, { count, recovery }] of Object.entries(faults)) print(line(title, count, `${(recovery / 1_000).toFixed(1)} s`));
  if (!hasVolume) print("The disk was not filled: this process may not mount a small volume.");

  print("", line("written", "acknowledged", "found", "lost", "doubled"), line());
  for (const { what, acknowledged, found, lost, doubled } of rows) print(line(what, acknowledged, found, lost, doubled));
  print(`${account.retries} requests were rejected or interrupted, and retried until they were acknowledged.`);

  print("", line("flags read, from replicas that were not killed", "times", "slowest"), line());
  for (const [title, { count, slowest }] of Object.entries(account.reads)) print(line(title, count, `${Math.round(slowest)} ms`));
  print("A paused replica answers a read when it resumes.");

  if (restarts) {
    print("", line("each replica restarted in turn, without retries", "times"), line());
    for (const [what, count] of Object.entries(restarts.counts)) print(line(what, count));
  }

  const problems = [
    ...rows.flatMap(({ what, lost, doubled }) => (lost + doubled > 0 ? [`${what}: ${lost} lost, ${doubled} doubled`] : [])),
    ...(disagreement ? [disagreement] : []),
    ...account.failures,
    ...(restarts?.failures ?? []),
  ];
  print("");
  if (problems.length === 0) {
    print("PASS  Nothing acknowledged was lost or doubled, every read of a flag was answered, and all replicas agree.");
    if (restarts) print("PASS  No request was lost while each replica was restarted.");
    return true;
  }
  print(`FAIL  ${problems.length} problems:`, ...problems.slice(0, MAX_LISTED).map((problem) => `  ${problem}`));
  return false;
}

function line(first, ...cells) {
  if (first === undefined) return "-".repeat(104);
  return `${String(first).padEnd(50)}${cells.map((cell) => String(cell).padStart(cells.length > 2 ? 13 : 27)).join("")}`;
}
