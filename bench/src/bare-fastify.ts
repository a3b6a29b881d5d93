// Yardstick: Fastify with nothing on it. It answers with the JSON text of BENCH_ANSWER, parsed once
// and written again for each request, as any handler's result is.
import type { AddressInfo } from "node:net";
import Fastify from "fastify";

const answer: unknown = JSON.parse(process.env.BENCH_ANSWER ?? "{}");
const app = Fastify();
app.get("/", () => answer);
await app.listen({ host: "127.0.0.1", port: 0 });
console.log(`port ${(app.server.address() as AddressInfo).port}`);
