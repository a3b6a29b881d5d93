import { z } from "zod";
import { sitePath } from "#domains/devices/site-path.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { failsWith } from "#kernel/rule.ts";
import * as text from "#rules/text.ts";
import { deviceField } from "./session.ts";

/** What the login page needs to know of the site before anyone is logged in. */
const siteConfig = z.object({
  sysName: z.string(),
  /** Path of the logo below the base URL; empty: none. */
  logo: z.string(),
  /** A colour of the theme; empty: the default. */
  color: z.string(),
  /** Login requires a code by text message. */
  smsLogin: codec.flag,
  /** Ways of recovery that this site can go. */
  byPhone: codec.flag,
  byEmail: codec.flag,
  /** Longest password that any account here may have: longer ones need no call. */
  passwordMax: z.number(),
  /** Identity providers of this host, by which people log in without a password. */
  providers: z.array(z.object({ id: z.number(), name: z.string() })).optional(),
});

/**
 * `username` is taken and changes nothing: an answer that differed by it would reveal which names
 * exist. `site` is a host name whose brand is wanted instead of that of the address asked.
 */
const siteInput = z.object({
  username: codec.orNull(codec.text(64)),
  site: codec.orNull(codec.text(253)),
});

export const apiConfig = endpoint({
  id: "auth.apiConfig",
  method: "GET",
  path: sitePath,
  auth: "none",
  input: siteInput,
  output: siteConfig,
  may: null,
});

/** The same for the special system jiuxi, whose name and logo differ and nothing else. */
export const apiJxConfig = endpoint({
  id: "auth.apiJxConfig",
  method: "GET",
  path: "/api/jxConfig",
  auth: "none",
  input: siteInput.extend({ username: codec.text(64, 1) }),
  output: siteConfig,
  may: null,
});

/** Seconds until another code can be asked for, and until this one is over. */
const sent = z.object({ again: z.number(), valid: z.number() });

/** Sends the code that a login with this name and password then needs. */
export const sendSms = endpoint({
  id: "auth.sendSms",
  method: "GET",
  path: "/api/sendSMS",
  auth: "none",
  acts: true,
  input: z.object({
    username: codec.text(64, 1),
    password: z.string().min(1).max(128),
    device: deviceField,
  }),
  output: sent,
  may: null,
});

/** A code is worth something with the ticket of the same request only. */
const ticketed = sent.extend({ ticket: z.string() });

/** Recovery by phone. The answer is the same whether or not an account has this number. */
export const sendSmsByPhone = endpoint({
  id: "auth.sendSmsByPhone",
  method: "GET",
  path: "/api/v1/sdwan/sendSMSByPhone",
  auth: "none",
  acts: true,
  input: z.object({ phone: text.phone }),
  output: ticketed,
  may: null,
});

/** Recovery by e-mail. The answer is the same whether or not an account has this address. */
export const sendSmsByEmail = endpoint({
  id: "auth.sendSmsByEmail",
  method: "GET",
  path: "/api/v1/sdwan/sendSMSByEmail",
  auth: "none",
  acts: true,
  input: z.object({ email: text.email }),
  output: ticketed,
  may: null,
});

/** The form of a recovery: the code that came, and the new password twice. */
export const recoveryForm = z
  .object({
    ticket: codec.text(64, 1),
    sms: codec.text(12, 1),
    /** Only where several accounts share the number or address. */
    loginName: codec.orNull(codec.text(64)),
    newPsw: text.newPassword,
    rePsw: z.string().min(1).max(128),
  })
  .refine((form) => form.newPsw === form.rePsw, failsWith("same", {}, ["rePsw"]));

/** Sets the forgotten password and ends all sessions of the account. */
export const resetPassword = endpoint({
  id: "auth.resetPassword",
  method: "POST",
  path: "/api/v1/sdwan/resetPassword",
  auth: "none",
  input: recoveryForm,
  output: nothing,
  may: null,
});

/**
 * Undoes a change of login name, phone number and e-mail address with the code that was sent to the former
 * address, and ends all sessions of the account.
 */
export const undoContact = endpoint({
  id: "auth.undoContact",
  addition: "whoever loses an account to a changed address gets it back by the former one",
  method: "POST",
  path: "/api/v1/sdwan/undoContact",
  auth: "none",
  input: z.object({ undoCode: codec.text(32, 1) }),
  output: nothing,
  may: null,
});
