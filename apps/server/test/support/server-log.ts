/** A line of a server's log, as far as tests read it. */
type Line = { level: number; msg: string; operation?: string; err?: { stack?: string } };

const ERROR = 50;

let causes: string[] = [];

/** Receives each line that a test server logs. */
export function readLogLine(text: string): void {
  const { level, msg, operation, err }: Line = JSON.parse(text);
  if (level >= ERROR) causes.push([operation, msg, err?.stack].filter(Boolean).join("\n"));
}

/** The errors that the servers of this test file logged since the last call. */
export function takeCauses(): string[] {
  const taken = causes;
  causes = [];
  return taken;
}
