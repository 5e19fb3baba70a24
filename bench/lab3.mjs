import { client, today } from "./lab.mjs";
const c=await client();
import fs from "node:fs";
await c.query("set max_parallel_workers_per_gather=0");
const pid=(await c.query("select pg_backend_pid() p")).rows[0].p;
const cpu=()=>{const f=fs.readFileSync(`/proc/${pid}/stat`,"utf8").split(") ")[1].split(" "); return (Number(f[11])+Number(f[12]))*10;};
const t=async(name,sql,n=3)=>{ let best=1e9,r; for(let i=0;i<n;i++){const b=cpu(); r=await c.query(sql); best=Math.min(best,cpu()-b);} console.log(name.padEnd(50),best.toFixed(0),"ms",r.rowCount); return r; };
const DAY=86400000; const start=(today-23)*DAY;
await c.query("drop table if exists su, blk; create table su (st int, shard int, id text, unit bigserial, grp text, since bigint, primary key(st,shard,id)); create table blk (st int, shard int, day int, data bytea, primary key (st,shard,day)); alter table blk alter data set storage external");
await t("fill su", `insert into su(st,shard,id,grp,since) select 1, hashtextextended(id,0)&31, id, g, s from (select "unitID" id, min("groupID") g, min("firstTime") s from experiment_exposure where "projectID"='default' and "experimentID"='bench_results' and "groupID"=any(array['control','test']) group by 1 having min("groupID")=max("groupID")) x on conflict do nothing`,1);
await c.query("analyze su");
await t("sync compare", `with now as (select "unitID" id, min("groupID") grp, min("firstTime") since from experiment_exposure where "projectID"='default' and "experimentID"='bench_results' and "groupID"=any(array['control','test']) group by 1 having min("groupID")=max("groupID")) select * from now full join (select * from su where st=1) u on u.id=now.id where u.since is distinct from now.since or u.grp is distinct from now.grp`);
const collect=(days)=>`with ev as (select e."userID" id, e."time", e.day as arrival, e.name, case when e.name='buy' and length(value)<=60 and value ~ '^\\s*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,2})?\\s*$' then e.value::float8 end as num from event e where e."projectID"='default' and e.name=any(array['buy','view']) and ${days} offset 0),
 hit as (select u.unit, u.shard, arrival, case when ev."time"<u.since then 1 else 0 end as early, width_bucket(ev."time", array[${Array.from({length:31},(_,i)=>(start/DAY-7+i)*DAY).join(",")}]::bigint[]) as day, case when name='buy' then num end x0, case when name='view' then 1.0::float8 end x1, case when name='buy' then 1.0::float8 end x2, case when name='buy' and num>-1e300 then 1.0::float8 end x3
   from ev join su u on u.st=1 and u.id=ev.id where ev."time">=u.since-7*${DAY}),
 ud as (select unit, shard, arrival, early, day, sum(x0) x0, sum(x1) x1, max(x2) x2, sum(x3) x3 from hit group by unit,shard,arrival,early,day)
 `;
const pack=`insert into blk select 1, shard, arrival, string_agg(int8send(unit)||int2send((day*2+early)::int2)||float8send(coalesce(x0,0))||float8send(coalesce(x1,0))||float8send(coalesce(x2,0))||float8send(coalesce(x3,0)),'') from ud group by shard, arrival on conflict (st,shard,day) do update set data=excluded.data`;
for (const d of [today-10, today-3]) { const r=await c.query(`select count(*) from event where day=${d}`); console.log(d-today, r.rows); }
await t("collect 1 day count", collect(`e.day=${today-3}`)+`select count(*) from ud`);
await t("collect 1 day + pack insert", collect(`e.day=${today-3}`)+pack);
await t("collect all count", collect(`true`)+`select count(*) from ud`,2);
await t("collect all + pack insert", collect(`true`)+pack,2);
const b=performance.now(); const r=await c.query("select shard, day, data from blk where st=1 order by shard, day"); console.log("read", (performance.now()-b).toFixed(0), r.rows.reduce((s,x)=>s+x.data.length,0)/1e6,"MB", r.rowCount);
await c.end();
