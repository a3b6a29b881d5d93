import { liveTicket } from "@weft/contract/domains/monitoring/live.ts";
import { livePath } from "@weft/contract/domains/monitoring/live-stream.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { mountInSteps, requirePerson } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { giveTicket, mountTicket, requireStill } from "#transfer/ticket.ts";
import { type FullOf, LiveHub } from "./hub.ts";
import { Outbox } from "./outbox.ts";
import { listenForStreams, newestSequence, readTransitions } from "./store.ts";

/** Why there is no room for one more stream. */
const tooMany: Readonly<Record<FullOf, Message>> = {
  session: ["本次登录打开的实时连接已达上限", "this login has the maximum of event streams open"],
  user: ["您的账号打开的实时连接已达上限", "your account has the maximum of event streams open"],
  enterprise: [
    "本企业打开的实时连接已达上限",
    "your enterprise has the maximum of event streams open",
  ],
  process: ["实时连接已达上限", "the maximum of event streams is open"],
};

/** Server-sent events of what changed state (design sections 3.8 and 4). */
export function liveRoutes(app: FastifyInstance): void {
  const { pools, revive } = app.weft;
  const report = (error: unknown): void => app.log.warn({ err: error }, "live events");
  const hub = new LiveHub({
    outbox: new Outbox({
      read: (after, limit) => readTransitions(pools, after, limit),
      newest: () => newestSequence(pools),
      now: () => performance.now(),
    }),
    revive: async (user) => (await revive(user))?.user ?? null,
    report,
  });
  const heard = {
    written: () => hub.hint(),
    rights: (userId: number | null) => hub.recheck(userId),
  };
  let listener: ReturnType<typeof listenForStreams> | null = null;
  // Before the server waits for its calls to end: these would never.
  app.addHook("preClose", () => hub.close());
  app.addHook("onClose", async () => listener?.close());
  mountInSteps(
    app,
    liveTicket,
    async (_, { caller }) => requirePerson(caller),
    async (_, caller) => {
      const ticket = { purpose: "events", action: liveTicket.id, content: {} };
      return { ticket: await giveTicket(app.weft, caller, ticket) };
    },
  );
  mountTicket(app, {
    path: livePath,
    purpose: "events",
    async run({ caller }, request, reply) {
      requireStill(caller, liveTicket.may);
      const full = hub.fullOf(caller);
      if (full !== null) refuse("notAllowedNow", { reason: tooMany[full] });
      listener ??= listenForStreams(pools, heard, report);
      reply.hijack();
      await hub.open(openStream(request, reply), caller, lastSeen(request));
    },
  });
}

function openStream(request: FastifyRequest, reply: FastifyReply): FastifyReply["raw"] {
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    "content-type": "text/event-stream; charset=utf-8",
    // Proxies that gather answers would make the events late.
    "x-accel-buffering": "no",
  });
  request.raw.socket.setNoDelay(true);
  return reply.raw;
}

/** The browser's own header when it reconnects; `after` when a page does with a new ticket. */
function lastSeen(request: FastifyRequest): number | null {
  const after = new URLSearchParams(request.url.split("?", 2)[1] ?? "").get("after");
  const lastId = request.headers["last-event-id"] ?? after ?? "";
  return /^\d{1,15}$/.test(String(lastId)) ? Number(lastId) : null;
}
