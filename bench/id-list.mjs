// Seconds that a call of 100,000 ids takes on a list of a million, over HTTP.
import { randomUUID } from "node:crypto";

const IDS = 100_000;

/** `url` is the server's, `/console/v1/segments`. The best of three counts, in milliseconds. */
export async function measureIDList(url, key) {
  const { data } = await call(url, key, "POST", { name: `measured ${randomUUID().slice(0, 8)}`, type: "id_list" });
  const list = `${url}/${data.id}/id_list`;
  for (let index = 0; index < 9; index++) await call(list, key, "PATCH", { ids: newIDs() });
  const rounds = [];
  for (let round = 0; round < 3; round++) {
    const given = newIDs();
    const add = await timed(() => call(list, key, "PATCH", { ids: given }));
    const remove = await timed(() => call(list, key, "DELETE", { ids: given }));
    rounds.push({ add, remove });
  }
  await call(list, key, "PATCH", { ids: newIDs() });
  const lastPage = await timed(() => call(`${list}?limit=1000&page=1000`, key, "GET"));
  const reset = await timed(() => call(`${list}/reset`, key, "POST", { ids: newIDs() }));
  return { add: least(rounds, "add"), remove: least(rounds, "remove"), lastPage, reset };
}

function newIDs() {
  return Array.from({ length: IDS }, () => randomUUID());
}

function least(rounds, by) {
  return Math.min(...rounds.map((round) => round[by]));
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return Math.round(performance.now() - begin);
}

async function call(url, key, method, body) {
  const headers = { "SERVICE-API-KEY": key, "Content-Type": "application/json" };
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
