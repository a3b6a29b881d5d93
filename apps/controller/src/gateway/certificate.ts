/**
 * A self-signed X.509 certificate over an Ed25519 key (RFC 5280, RFC 8410). Devices compare the key
 * and nothing else (ADR 0005), so the certificate holds the least that TLS asks for; its few fields
 * are written here as DER (X.690) instead of by a library.
 */
import { createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";

const tag = { integer: 0x02, bits: 0x03, oid: 0x06, utf8: 0x0c, time: 0x18 } as const;
const sequence = 0x30;
const set = 0x31;
const version = 0xa0;

function der(type: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([type, ...(length < 0x80 ? [length] : bytes)]), content]);
}

/** 1.3.101.112, and 2.5.4.3 for the name. */
const ed25519 = der(sequence, der(tag.oid, Buffer.from("2b6570", "hex")));
const commonName = der(tag.oid, Buffer.from("550403", "hex"));

/** GeneralizedTime: YYYYMMDDHHMMSSZ. Dates before 2050 ought to be UTCTime (RFC 5280, 4.1.2.5). */
const time = (at: Date): Buffer => {
  const text = at.toISOString().replace(/[-:T]|\.\d+/g, "");
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(text.slice(2)))
    : der(tag.time, Buffer.from(text));
};

/** A string of whole bytes: none of the last one's bits are unused. */
const bits = (content: Buffer): Buffer => der(tag.bits, Buffer.from([0]), content);

/**
 * @param key Ed25519 private key
 * @returns the certificate as PEM
 */
export function selfSigned(key: KeyObject, name: string, from: Date, until: Date): string {
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  const subject = der(
    sequence,
    der(set, der(sequence, commonName, der(tag.utf8, Buffer.from(name)))),
  );
  // Positive and not longer than 20 bytes (RFC 5280, 4.1.2.2).
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const body = der(
    sequence,
    der(version, der(tag.integer, Buffer.from([2]))),
    der(tag.integer, serial),
    ed25519,
    subject,
    der(sequence, time(from), time(until)),
    subject,
    spki,
  );
  const whole = der(sequence, body, ed25519, bits(sign(null, body, key)));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
