// Statistics of processes and the system. Undefined or NaN if the system does not provide them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";

const isLinux = process.platform === "linux";

/** Pins a command to one core, if one is given and the system supports it. */
export function pinned(core, command, args) {
  const isPossible = core !== undefined && isLinux && availableParallelism() > 1;
  return isPossible ? ["taskset", ["-c", String(core), command, ...args]] : [command, args];
}

/** MB */
export function residentMemory(pid) {
  return isLinux ? readMemory(pid, "VmRSS") : undefined;
}

/** The largest resident set of a process, MB. */
export function peakMemory(pid) {
  return isLinux ? readMemory(pid, "VmHWM") : undefined;
}

/** Makes the present resident set of a process its largest one. */
export function resetPeakMemory(pid) {
  if (isLinux) writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

function readMemory(pid, name) {
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024);
}

/** The CPU time of a process, s. */
export function cpuSeconds(pid) {
  return isLinux ? readProcess(pid).own : Number.NaN;
}

/** The CPU time of a process and its children, including those that have ended, s. */
export function cpuSecondsWithChildren(pid) {
  if (!isLinux) return Number.NaN;
  const { own, ended } = readProcess(pid);
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return readProcess(name);
      } catch {
        return []; // It has ended since it was listed.
      }
    });
  return children.filter(({ parent }) => parent === pid).reduce((sum, child) => sum + child.own, own + ended);
}

/** The parent of a process. */
export function parentOf(pid) {
  return readProcess(pid).parent;
}

/** @returns { parent: pid, own, ended: CPU time of the process and of its children that have ended, s } */
function readProcess(pid) {
  // The fields after the name, which may contain anything. Times are in hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ").map(Number);
  return { parent: fields[1], own: (fields[11] + fields[12]) / 100, ended: (fields[13] + fields[14]) / 100 };
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
