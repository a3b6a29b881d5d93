import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { failsWith } from "#kernel/rule.ts";

/** Longest names, addresses and remarks that fit every table and export. */
export const limits = { name: 64, remark: 255, loginName: 32, email: 254 } as const;

/** Section 5: Chinese characters, letters, digits, underscore, hyphen. */
export const isName = (value: string): boolean => /^[\p{Script=Han}A-Za-z0-9_-]+$/u.test(value);

export const name = codec.text(limits.name, 1).refine(isName, failsWith("name"));
export const remark = codec.text(limits.remark);

/** Section 5: username is letters, digits, @. */
export const loginName = codec
  .text(limits.loginName, 1)
  .refine((value) => /^[A-Za-z0-9@]+$/.test(value), failsWith("loginName"));

/** Section 5 and A-18: 5 to 12 code points, none of them white space. */
export const isPassword = (value: string): boolean => {
  const length = [...value].length;
  return length >= 5 && length <= 12 && !/\s/u.test(value);
};
export const password = z.string().refine(isPassword, failsWith("password", { min: 5, max: 12 }));

export const email = codec
  .text(limits.email)
  .refine((value) => z.email().safeParse(value).success, failsWith("email"));

/** Section 5: 11 digits starting with 1. */
export const phone = codec.text(20).refine((value) => /^1\d{10}$/.test(value), failsWith("phone"));

/** Linux interface name (netdevice(7): at most 15 characters, no slash, no blank). */
export const interfaceName = codec
  .text(15, 1)
  .refine((value) => /^[A-Za-z][A-Za-z0-9._-]*$/.test(value), failsWith("interfaceName"));

/** What the maker prints on a box. */
export const serialNumber = codec
  .text(64, 4)
  .refine((value) => /^[A-Za-z0-9._:-]+$/.test(value), failsWith("serialNumber"));
