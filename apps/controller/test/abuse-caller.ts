/** Calls of the API from an address of one's own: bounds of the controller count by address. */
import { once } from "node:events";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { fromEnvelope, toRequest } from "@weft/contract/kernel/client.ts";
import type { Endpoint, Envelope, InputOf } from "@weft/contract/kernel/endpoint.ts";

/** Ms after which a call counts as not served. */
const callMs = 60_000;

export interface From {
  readonly url: string;
  /** 127.0.0.0/8 */
  readonly localAddress: string;
  readonly token?: string;
  /** Connections that are kept between calls; absent: each call has its own. */
  readonly agent?: Agent;
}

/** The answer of a call, whatever it says. @throws when none comes */
export async function answerFrom<E extends Endpoint>(
  { url, localAddress, token, agent }: From,
  endpoint: E,
  input: InputOf<E>,
): Promise<Envelope> {
  const { path, body } = toRequest(endpoint, input);
  const form = body && new Response(body);
  const bytes = form && Buffer.from(await form.arrayBuffer());
  const type = form?.headers.get("content-type");
  const call = request(`${url}${path}`, {
    method: endpoint.method,
    localAddress,
    agent: agent ?? new Agent({ keepAlive: false }),
    signal: AbortSignal.timeout(callMs),
    headers: {
      "accept-language": "en",
      ...(token && { authorization: token }),
      ...(bytes && { "content-length": bytes.length }),
      ...(type && { "content-type": type }),
    },
  });
  call.end(bytes ?? undefined);
  const [answer] = await once(call, "response");
  return JSON.parse(await text(answer)) as Envelope;
}

/** The decoded data of a call that succeeds. */
export const callFrom = async <E extends Endpoint>(from: From, endpoint: E, input: InputOf<E>) =>
  fromEnvelope(endpoint, await answerFrom(from, endpoint, input)).data;
