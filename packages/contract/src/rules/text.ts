import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { failsWith } from "#kernel/rule.ts";
import { anyLength, isPasswordOf, passwordLengths } from "./password-policy.ts";

/** Longest names, addresses and remarks that fit every table and export. */
export const limits = { name: 64, remark: 255, loginName: 32, email: 254 } as const;

/** Section 5: Chinese characters, letters, digits, underscore, hyphen. */
export const isName = (value: string): boolean => /^[\p{Script=Han}A-Za-z0-9_-]+$/u.test(value);

export const name = codec.text(limits.name, 1).refine(isName, failsWith("name"));
export const remark = codec.text(limits.remark);

/** Section 5: username is letters, digits, @. */
export const isLoginName = (value: string): boolean => /^[A-Za-z0-9@]+$/.test(value);
export const loginName = codec
  .text(limits.loginName, 1)
  .refine(isLoginName, failsWith("loginName"));

/** Section 5 and A-18: 5 to 12 code points, none of them white space. */
export const isPassword = (value: string): boolean => isPasswordOf(value, passwordLengths.spec);
export const password = z.string().refine(isPassword, failsWith("password", passwordLengths.spec));
/** A new password before it is known whose it is: its policy is checked with the person's row. */
export const newPassword = z
  .string()
  .refine((value) => isPasswordOf(value, anyLength), failsWith("password", anyLength));

/** Format check of section 5 for passwords of devices and clients (A-17): letters and digits. */
export const isPasswordFormat = (value: string): boolean => /^[A-Za-z0-9]+$/.test(value);

/** A-57: text of nothing but white space counts as empty. */
export const isFilled = (value: unknown): boolean => typeof value === "string" && /\S/u.test(value);

/** RFC 5321, 4.1.2 and 4.5.3.1: a dot-string of at most 64 characters at labels of at most 63. */
const localPart =
  /^(?=.{1,64}$)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
/** The last label is no number: an address is written in brackets, which no field takes. */
const mailDomain = new RegExp(`^(?=.{1,255}$)(?:${label}\\.)+(?!\\d+$)${label}$`);

export const isEmail = (value: string): boolean => {
  const at = value.lastIndexOf("@");
  return (
    value.length <= limits.email &&
    localPart.test(value.slice(0, Math.max(0, at))) &&
    mailDomain.test(value.slice(at + 1))
  );
};
export const email = codec.text(limits.email).refine(isEmail, failsWith("email"));

/** A password in use: any text that is not only white space. */
export const oldPassword = z.string().min(1).max(128).refine(isFilled, failsWith("required"));

/** The same in a call that needs it in some cases only; absent or empty: not given. */
export const ownPassword = codec.orNull(oldPassword);

/** Section 5: 11 digits starting with 1. */
export const isMobilePhone = (value: string): boolean => /^1\d{10}$/.test(value);
export const phone = codec.text(20).refine(isMobilePhone, failsWith("phone"));

/** Area code of 3 or 4 digits with its leading 0, then 7 or 8 digits. */
export const isLandline = (value: string): boolean => /^0\d{2,3}-?\d{7,8}$/.test(value);

const hostName = new RegExp(`^${label}(?:\\.${label})*$`);

/** An http or https address without credentials; its host a name or an address. */
export const isUrl = (value: string): boolean => {
  if (/\s/.test(value) || !/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  // The parser rewrites what it accepts: only a host that it left alone was written well.
  const written = /^https?:\/\/(\[[^\]]+\]|[^/:?#]*)/i.exec(value)?.[1] ?? "";
  if (
    url.port === "0" ||
    url.username !== "" ||
    url.password !== "" ||
    url.hostname !== written.toLowerCase()
  )
    return false;
  return written.startsWith("[") || hostName.test(written);
};

/** Six pairs of hexadecimal digits, throughout with colons or throughout with hyphens. */
export const isMac = (value: string): boolean =>
  /^[0-9A-Fa-f]{2}(?:(:[0-9A-Fa-f]{2}){5}|(-[0-9A-Fa-f]{2}){5})$/.test(value);

/**
 * Interfaces of the edge program itself: the loopback, tunnels of links and of mobile clients, queues (`wl7`, `wm1`, `wup`),
 * and what it tries the machine with. A wireless card is called otherwise (`wlan0`, `wlp3s0`).
 */
export const isOwnInterface = (name: string): boolean =>
  /^(lo|wup|wdn|w[lmtx]\d+|weft.*)$/.test(name);

/** What the kernel refuses for an interface: settings of all of them, and of those to come, have these names. */
const ofNoInterface = ["all", "default"];
const isInterfaceName = (name: string): boolean =>
  /^[A-Za-z][A-Za-z0-9._-]*$/.test(name) && !ofNoInterface.includes(name);

/** Linux interface name (netdevice(7): at most 15 characters, no slash, no blank). */
export const interfaceName = codec
  .text(15, 1)
  .refine(isInterfaceName, failsWith("interfaceName"))
  .refine((value) => !isOwnInterface(value), failsWith("ownInterface"));

/** As the manufacturer prints it on a device. */
export const serialNumber = codec
  .text(64, 4)
  .refine((value) => /^[A-Za-z0-9._:-]+$/.test(value), failsWith("serialNumber"));
