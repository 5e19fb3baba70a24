import { spawn } from "node:child_process"; import fs from "node:fs"; import pg from "pg";
const url=fs.readFileSync("/tmp/h/incr/pg.url","utf8").trim();
const a=new pg.Client(url); await a.connect(); await a.query("drop database if exists lab"); await a.query("create database lab"); await a.end();
const lab=url.replace(/\/postgres$/,"/lab");
const child=spawn(process.execPath,["../apps/server/dist/main.js"],{env:{...process.env,NODE_ENV:"production",DATABASE_URL:lab,PORT:"39911",GATEHOUSE_CONSOLE_KEY:"console-benchmark-0123456789",GATEHOUSE_ADMIN_EMAIL:"ada@example.com",GATEHOUSE_ADMIN_PASSWORD:"correct horse battery staple"},stdio:["ignore","ignore","inherit"]});
for(;;){ const r=await fetch("http://127.0.0.1:39911/console/v1/gates?limit=1",{headers:{"SERVICE-API-KEY":"console-benchmark-0123456789"}}).catch(()=>{}); if(r?.ok)break; await new Promise(r=>setTimeout(r,100)); }
child.kill("SIGTERM"); await new Promise(r=>child.once("exit",r));
const { fillResults } = await import("./results-data.mjs");
console.log(await fillResults({databaseUrl:lab},"bench_results",Number(process.argv[2]??1e6)));
