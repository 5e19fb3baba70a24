/** A read-write lock: `shared` runs work concurrently, `alone` exclusively. Exclusive work goes first. */
export function createGate() {
  let running = 0;
  let isTaken = false;
  const waiting = [];
  const wake = () => {
    for (const resume of waiting.splice(0)) resume();
  };
  const until = async (isFree) => {
    while (!isFree()) await new Promise((resume) => waiting.push(resume));
  };
  return {
    async shared(work) {
      await until(() => !isTaken);
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        wake();
      }
    },
    async alone(work) {
      await until(() => !isTaken);
      isTaken = true;
      await until(() => running === 0);
      try {
        return await work();
      } finally {
        isTaken = false;
        wake();
      }
    },
  };
}
