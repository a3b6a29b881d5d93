import compress from "@fastify/compress";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * True: the answer may be compressed. The length of a compressed answer says whether what a caller put into it is
     * like the rest of it (BREACH): none that holds a secret is, nor any that is given without a session.
     */
    isCompressed?: boolean;
  }
}

/** Compresses answers of the routes that allow it, for clients that take it; none below 1 KiB, and no stream. */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  const options = { encodings: ["br" as const, "gzip" as const] };
  // Before the plugin's own hook, which reads it.
  app.addHook("onRoute", (route) => {
    route.compress = route.config?.isCompressed ? options : false;
  });
  // Bodies of requests stay as they are: a small one could become as large as memory.
  await app.register(compress, { ...options, global: false, globalDecompression: false });
}
