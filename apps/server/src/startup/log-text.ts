const LEVELS: Record<number, { name: string; color: number }> = {
  10: { name: "TRACE", color: 90 },
  20: { name: "DEBUG", color: 90 },
  30: { name: "INFO", color: 32 },
  40: { name: "WARN", color: 33 },
  50: { name: "ERROR", color: 31 },
  60: { name: "FATAL", color: 31 },
};

/** Values with other characters are quoted, so that no caller can write a line or a control sequence of a terminal. */
const PLAIN = /^[\w./:@+-]+$/;
/** Control characters, except for the tabs and line breaks of a stack. */
const CONTROL = /[^\P{Cc}\t\n]/gu;

type Line = { level: number; time: number; msg?: string; err?: { stack?: string; message?: string }; [field: string]: unknown };

/**
 * Turns a line of the log into text for people: local time, level, message, fields and the stack of an error.
 * @param json a line as pino writes it
 */
export function toLogText(json: string, { hasColors }: { hasColors: boolean }): string {
  const { level, time, msg = "", err, pid: _pid, hostname: _hostname, ...fields } = JSON.parse(json) as Line;
  const { name, color } = LEVELS[level] ?? { name: String(level), color: 0 };
  const shown = Object.entries(fields).map(([field, value]) => `${field}=${toValue(value)}`);
  const paint = (text: string, code: number) => (hasColors ? `\u001B[${code}m${text}\u001B[0m` : text);
  const first = [
    toClock(new Date(time)),
    paint(name.padEnd(5), color),
    withoutControl(msg).replaceAll("\n", " "),
    paint(shown.join(" "), 90),
  ];
  const stack = err ? `\n${withoutControl(err.stack ?? err.message ?? "").replaceAll(/^/gm, "    ")}` : "";
  return `${first.filter((part) => part !== "").join(" ")}${stack}\n`;
}

/** `14:03:07.042` */
function toClock(time: Date): string {
  const pad = (value: number, length = 2) => String(value).padStart(length, "0");
  return `${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}.${pad(time.getMilliseconds(), 3)}`;
}

function toValue(value: unknown): string {
  return typeof value === "string" && PLAIN.test(value) ? value : withoutControl(JSON.stringify(value) ?? "");
}

function withoutControl(text: string): string {
  return text.replaceAll(CONTROL, "?");
}
