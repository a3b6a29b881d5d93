/** A worker that compiles what is marked, as a process of its own: until nothing is left. */
import { argv } from "node:process";
import { pino } from "pino";
import { openPools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { createCompiler } from "#domains/delivery/publish/compile-marked.ts";

const pools = await openPools<Database>(argv[2] as string);
const compiler = createCompiler(pools, pino({ level: "silent" }), () => undefined);
while ((await compiler.run()) !== undefined);
await pools.end();
