import { newGate } from "./gates.mjs";
import { call, start } from "./servers.mjs";

/** Creates `gate <from>` up to `gate <to>`, exclusive, sixteen at a time. */
export async function createGates(from, to) {
  let next = from;
  const worker = async () => {
    for (let index = next++; index < to; index = next++)
      await call("POST", "/gates", newGate(`gate ${index}`, ["bench", `tenth ${index % 10}`]));
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/** Adds gates up to a number, as copies of one that the API created, since writing them one by one would take too long. Stop servers first. */
export async function copyGates(client, size) {
  const { rows } = await client.query("select count(*)::int as count from gate");
  const server = await start("gatehouse");
  if (rows[0].count === 0) await call("POST", "/gates", newGate("gate 0"));
  await server.stop();
  await client.query(
    `insert into gate select (jsonb_populate_record(null::gate, to_jsonb(gate) || jsonb_build_object(
       'id', 'gate_' || n, 'createdTime', "createdTime" + n, 'sortName', 'gate ' || n, 'searchText', replace("searchText", '0', n::text),
       'entity', replace(replace(entity, '"gate_0"', '"gate_' || n || '"'), '"gate 0"', '"gate ' || n || '"')))).*
     from gate, generate_series($1::int, $2::int - 1) as n where id = 'gate_0'`,
    [Math.max(1, rows[0].count), size],
  );
  await client.query("vacuum analyze gate");
}
