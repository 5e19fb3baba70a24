// Statistics of processes and the system. Undefined or NaN where the system has none.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

const isLinux = process.platform === "linux";

/** On one core, where one is given and the system can do that. */
export function pinned(core, command, args) {
  const isPossible = core !== undefined && isLinux && availableParallelism() > 1;
  return isPossible ? ["taskset", ["-c", String(core), command, ...args]] : [command, args];
}

/** MB */
export function residentMemory(pid) {
  if (!isLinux) return undefined;
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024);
}

/** The processor time that a process has used, s. */
export function cpuSeconds(pid) {
  if (!isLinux) return Number.NaN;
  // Behind the name, which may hold anything; in hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Watches how much of the time that this machine wanted to run its hypervisor gave to others: the more, the less all figures mean. */
export function watchStolenTime() {
  const before = processorTimes();
  return {
    /** 0–1 */
    share() {
      const now = processorTimes();
      const stolen = now.stolen - before.stolen;
      return stolen / (now.busy - before.busy + stolen);
    },
  };
}

function processorTimes() {
  if (!isLinux) return { busy: Number.NaN, stolen: Number.NaN };
  const [, ...times] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0].split(/\s+/);
  const [user, nice, system, , , interrupts, softInterrupts, stolen] = times.map(Number);
  return { busy: user + nice + system + interrupts + softInterrupts, stolen };
}
