import pg from "pg";
import fs from "node:fs";
import { METRICS } from "./results-data.mjs";
import { planMetric } from "../apps/server/dist/results/plans/metric-plan.js";
import { momentsQuery } from "../apps/server/dist/results/sql/moments-query.js";
import { totalsQuery } from "../apps/server/dist/results/sql/totals-query.js";
import { postgres } from "../apps/server/dist/results/sql/dialect.js";
import { daysBefore, daysFrom } from "../apps/server/dist/common/local-day.js";
const DAY=86400000;
export const today = Math.floor(Date.now()/DAY);
const start=(today-23)*DAY;
export const metrics = METRICS.map(m=>({id:m.name+"::"+m.type, metricComponentMetrics:[], metricEvents:m.metricEvents.map(e=>({criteria:[],...e})), ...m, rollupTimeWindow:"max"}));
export const plans = metrics.map(m=>planMetric({...m, metricEvents:m.metricEvents.map(e=>({criteria:[],...e}))}));
const url = fs.readFileSync("/tmp/h/incr/pg.url","utf8").trim();
export const analysis = { projectID:"default", exposureSource:{type:"experiment", id:"bench_results", groupIDs:["control","test"]}, idType:"userID", environments:["production"], days: daysFrom(start, Date.now(), "UTC"), earlierDays: daysBefore(start, 7*DAY, "UTC"), end: Date.now() };
export async function client(){ const c=new pg.Client(url.replace(/\/postgres$/,"/lab")); await c.connect(); await c.query("set enable_nestloop=off; set jit=off; set statement_timeout=0"); return c; }
if (process.argv[2]==="time"){
  console.log(JSON.stringify(plans.map(p=>p)));
  const c=await client();
  const run=async(name,{text,parameters})=>{ let best=1e9; let r; for(let i=0;i<3;i++){const t=performance.now(); r=await c.query(text, parameters.map(p=>p.value)); best=Math.min(best,performance.now()-t);} console.log(name, best.toFixed(0),"ms", r.rows.length,"rows"); return r; };
  await run("moments 5", momentsQuery(plans, analysis, postgres));
  for (const [i,p] of plans.entries()) await run("moments "+metrics[i].name, momentsQuery([p], analysis, postgres));
  await run("4 without order", momentsQuery(plans.slice(0,4), analysis, postgres));
  await run("totals", totalsQuery(plans.slice(0,2), analysis, postgres));
  await c.end();
}
