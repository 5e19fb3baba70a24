import fs from "node:fs";
import { client, today } from "./lab.mjs";
const c=await client();
const pid=(await c.query("select pg_backend_pid() p")).rows[0].p;
const cpuPg=()=>{const f=fs.readFileSync(`/proc/${pid}/stat`,"utf8").split(") ")[1].split(" "); return (Number(f[11])+Number(f[12]))*10;};
const me=()=>{const u=process.cpuUsage(); return (u.user+u.system)/1000;};
for(let round=0;round<3;round++){
const a=cpuPg(), b=me();
let bufs=[];
for(let s=0;s<32;s++){ const r=await c.query({text:"select data from blk where st=1 and shard=$1 order by day",values:[s]}); bufs.push(r.rows.map(x=>x.data)); }
console.log("read: pg",cpuPg()-a,"node",(me()-b).toFixed(0), typeof bufs[0][0], bufs[0][0].length);
const b2=me();
const u=(await c.query({text:"select shard, string_agg(int8send(unit)||int8send(since)||case when grp='test' then '\\x01'::bytea else '\\x00' end,'') as d from su where st=1 group by shard"})).rows;
console.log("units: node",(me()-b2).toFixed(0));
const b3=me();
const W=42; const D=31;
const sums=Array.from({length:5},()=>Array.from({length:2},()=>new Float64Array((D+1)*24)));
let rows=0;
for(const sh of u){
  const un=sh.d; const n=un.length/17; const min=0; const idx=new Int32Array(110000).fill(-1); const grp=new Uint8Array(n);
  for(let i=0;i<n;i++){ idx[un.readInt32BE(i*17+4)]=i; grp[i]=un[i*17+16]; }
  const bs=bufs[sh.shard]; let R=0; for(const x of bs) R+=x.length/W;
  const ru=new Int32Array(R), rd=new Int16Array(R), x=new Float64Array(R*4); let k=0; const cnt=new Int32Array(n+1);
  for(const buf of bs){ const dv=new DataView(buf.buffer,buf.byteOffset,buf.length); for(let o=0;o<buf.length;o+=W){ const ui=idx[dv.getInt32(o+4)]; if(ui<0)continue; ru[k]=ui; rd[k]=dv.getInt16(o+8); for(let t=0;t<4;t++) x[k*4+t]=dv.getFloat64(o+10+8*t); cnt[ui+1]++; k++; } }
  for(let i=0;i<n;i++)cnt[i+1]+=cnt[i];
  const pos=cnt.slice(); const order=new Int32Array(k); for(let i=0;i<k;i++) order[pos[ru[i]]++]=i;
  rows+=k;
  const cum=new Float64Array(4), w=new Float64Array(4);
  for(let ui=0;ui<n;ui++){ cum.fill(0); w.fill(0); const g=grp[ui];
    for(let j=cnt[ui];j<cnt[ui+1];j++){ const r=order[j]; const code=rd[r]; const o=r*4; if(code&1){ w[0]+=x[o];w[1]+=x[o+1];w[2]=Math.max(w[2],x[o+2]);w[3]+=x[o+3]; continue;}
      const day=code>>1; const y0=cum[0],v0=cum[1],a0=cum[2],c0=cum[3]; cum[0]+=x[o];cum[1]+=x[o+1];cum[2]=Math.max(a0,x[o+2]);cum[3]+=x[o+3];
      const p=w[0];
      for(let m=0;m<5;m++){ let y,yb,d=0,db=0,q=0,pp=w[0]; if(m===0){y=cum[0];yb=y0;}else if(m===1){y=cum[1];yb=v0;pp=w[1];}else if(m===2){y=cum[2];yb=a0;pp=w[2];}else if(m===3){d=cum[1];db=v0;q=w[1];y=d?cum[0]:0;yb=db?y0:0;}else{d=cum[3];db=c0;q=w[3];y=d?cum[0]:0;yb=db?y0:0;}
        if(y===yb&&d===db) continue;
        const S=sums[m][g]; const at=day*24; 
        S[at+3]+=y-yb; S[at+4]+=y*y-yb*yb; S[at+13]+=(y-yb)*pp; S[at+17]+=y*y*y-yb*yb*yb; 
        if(m>2){ S[at+1]+=(d!==0)-(db!==0); S[at+5]+=d-db; S[at+6]+=d*d-db*db; S[at+7]+=y*d-yb*db; S[at+14]+=(y-yb)*q; S[at+15]+=(d-db)*pp; S[at+16]+=(d-db)*q; S[at+18]+=y*y*d-yb*yb*db; S[at+19]+=y*d*d-yb*db*db; S[at+20]+=d*d*d-db*db*db; }
        else { S[at+21]+=(y*y-yb*yb)*pp; S[at+22]+=(y-yb)*pp*pp; } }
    } }
}
console.log("compute node",(me()-b3).toFixed(0),"rows",rows, sums[0][0].reduce((a,b)=>a+b,0));
}
await c.end();
