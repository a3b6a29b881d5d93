/** Lines of conntrack(8) with `-o extended,id,ktimestamp`. Pure. */

/** A flow as connection tracking followed it. Bytes are what it counted since the flow began. */
export interface SeenFlow {
  /** Of the kernel's entry. */
  readonly id: string;
  readonly protocol: number;
  /** The end that opened it. */
  readonly source: string;
  readonly sourcePort: number;
  /** The end that answers: behind a port mapping it is the host inside. */
  readonly destination: string;
  readonly destinationPort: number;
  /** Towards the source, and away from it. */
  readonly inBytes: number;
  readonly outBytes: number;
  readonly seconds: number;
  /** Setting of the kernel (nf_conntrack_*) whose time has passed since its last packet; null: it goes on, or was ended. */
  readonly timeout: string | null;
}

const head = /^(?:\s*\[[A-Z]+\])?\s*ipv[46]\s+\d+\s+\S+\s+(\d+)\s/;
const field = /([a-z-]+)=(\S+)/g;

const protocols = { icmp: 1, tcp: 6, udp: 17, icmp6: 58 } as const;
const states = /\b(SYN_SENT|SYN_RECV|ESTABLISHED|FIN_WAIT|CLOSE_WAIT|LAST_ACK|TIME_WAIT|CLOSE)\b/;

/** An entry is kept for a while after the last packet of its flow. */
const timeoutOf = (line: string, protocol: number): string | null => {
  if (!line.includes("[DESTROY]") || line.includes("[USERSPACE]")) return null;
  if (protocol === protocols.tcp) {
    const state = states.exec(line)?.[1];
    return state === undefined ? null : `tcp_timeout_${state.toLowerCase()}`;
  }
  if (protocol === protocols.udp)
    return line.includes("[ASSURED]") ? "udp_timeout_stream" : "udp_timeout";
  if (protocol === protocols.icmp) return "icmp_timeout";
  return protocol === protocols.icmp6 ? "icmpv6_timeout" : "generic_timeout";
};

const lasted = / delta-time=(\d+)/;

/** Of an entry that goes on: its id and how long it has been there, without a look at the rest. Null: it is none. */
export const parseAge = (line: string): { id: string; seconds: number } | null => {
  const at = line.lastIndexOf(" id=");
  const seconds = lasted.exec(line)?.[1];
  return at < 0 || seconds === undefined
    ? null
    : { id: line.slice(at + 4).trim(), seconds: Number(seconds) };
};

/** The nth value of a name, from 0. */
const nth = (fields: readonly RegExpMatchArray[], name: string, at: number): string | undefined =>
  fields.filter(([, key]) => key === name)[at]?.[2];

/** Null: it is none. */
export const parseFlow = (line: string): SeenFlow | null => {
  const protocol = head.exec(line)?.[1];
  if (protocol === undefined) return null;
  const fields = [...line.matchAll(field)];
  const numberAt = (name: string, at: number): number => Number(nth(fields, name, at) ?? 0);
  const source = nth(fields, "src", 0);
  const destination = nth(fields, "src", 1);
  const id = fields.findLast(([, key]) => key === "id")?.[2];
  if (source === undefined || destination === undefined || id === undefined) return null;
  return {
    id,
    protocol: Number(protocol),
    source,
    sourcePort: numberAt("sport", 0),
    destination,
    destinationPort: numberAt("sport", 1),
    inBytes: numberAt("bytes", 1),
    outBytes: numberAt("bytes", 0),
    seconds: numberAt("delta-time", 0),
    timeout: timeoutOf(line, Number(protocol)),
  };
};
