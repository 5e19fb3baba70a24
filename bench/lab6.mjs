import fs from "node:fs"; import { client, plans, analysis } from "./lab.mjs";
import { momentsQuery } from "../apps/server/dist/results/sql/moments-query.js"; import { totalsQuery } from "../apps/server/dist/results/sql/totals-query.js"; import { postgres } from "../apps/server/dist/results/sql/dialect.js";
const c=await client(); await c.query("set max_parallel_workers_per_gather=0"); const pid=(await c.query("select pg_backend_pid() p")).rows[0].p;
const cpu=()=>{const f=fs.readFileSync(`/proc/${pid}/stat`,"utf8").split(") ")[1].split(" "); return (Number(f[11])+Number(f[12]))*10;};
for(let i=0;i<2;i++){ let a=cpu(); const q=momentsQuery(plans,analysis,postgres); await c.query(q.text,q.parameters.map(p=>p.value)); let b=cpu(); const t=totalsQuery(plans.slice(0,2),analysis,postgres); await c.query(t.text,t.parameters.map(p=>p.value)); console.log("full cpu",b-a,"totals",cpu()-b); }
await c.end();
