// Statistics of processes and the system. Undefined or NaN if the system does not provide them.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

const isLinux = process.platform === "linux";

/** Pins a command to one core, if one is given and the system supports it. */
export function pinned(core, command, args) {
  const isPossible = core !== undefined && isLinux && availableParallelism() > 1;
  return isPossible ? ["taskset", ["-c", String(core), command, ...args]] : [command, args];
}

/** MB */
export function residentMemory(pid) {
  if (!isLinux) return undefined;
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024);
}

/** The CPU time of a process, s. */
export function cpuSeconds(pid) {
  if (!isLinux) return Number.NaN;
  // The fields after the name, which may contain anything, in hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Measures steal time: the share of time that the hypervisor gave to other machines. The more, the less reliable all figures are. */
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
