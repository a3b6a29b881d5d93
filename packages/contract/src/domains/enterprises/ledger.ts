/** Money of enterprises: recharge, and the records of what was posted (sections 2.3 and 7.2). */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import { exportOf } from "#kernel/sheet.ts";
import * as money from "#rules/money.ts";
import * as text from "#rules/text.ts";
import { dealTypes } from "./enums.ts";

/** Gives an enterprise credit in the book of the enterprise above it. */
export const enterpriseCharge = endpoint({
  id: "enterprise.charge",
  method: "POST",
  path: "/customer/enterprise/charge",
  input: z.object({
    groupid: codec.id,
    /** Amount of the recharge, above zero. */
    credit: money.rechargeAmount,
    /** Makes a repeated request find the first one's posting; null: each request counts. */
    requestKey: codec.orNull(codec.text(64, 8)),
    remark: codec.orNull(text.remark),
  }),
  output: z.object({
    /** The credit after it. */
    balance: money.sum,
    orderNo: z.string(),
    /** True: this key was posted before, and nothing was posted now. */
    repeated: codec.flag,
  }),
  may: "enterpriseCharge",
});

const range = {
  groupid: codec.orNull(codec.id),
  startTime: codec.orNull(codec.instant),
  endTime: codec.orNull(codec.instant),
};
const record = {
  id: z.number(),
  groupid: z.number(),
  enterpriseName: z.string(),
  orderNo: z.string(),
  /** The credit after it. */
  balance: money.sum,
  createTime: codec.instant,
  remark: z.string(),
};
const dealRow = z.object({
  ...record,
  type: codec.code(dealTypes),
  /** What it changed the credit by: a charge is below zero. */
  amount: money.sum,
  /** What was paid for. */
  target: z.string(),
});
const rechargeRow = z.object({
  ...record,
  credit: money.sum,
  /** Who did it; empty: no longer known. */
  operator: z.string(),
});

/** Charges, refunds and balances carried over, newest first. */
export const dealRecordList = pagedEndpoint({
  id: "dealRecord.list",
  method: "GET",
  path: "/customer/dealRecord/list",
  input: z.object({ ...range, type: codec.orNull(codec.code(dealTypes)), ...pageFields }),
  output: dealRow,
  may: screens("/dealmanage/dealrecord"),
});

/** Recharges, newest first. */
export const rechargeRecordList = pagedEndpoint({
  id: "rechargeRecord.list",
  method: "GET",
  path: "/customer/rechargeRecord/list",
  input: z.object({ ...range, ...pageFields }),
  output: rechargeRow,
  may: screens("/dealmanage/rechargerecord"),
});

/** The transaction records as a file. */
export const dealRecordExport = exportOf(dealRecordList, {
  id: "dealRecord.export",
  path: "/customer/dealRecord/export",
  may: screens("/dealmanage/dealrecord"),
});

/** The recharge records as a file. */
export const rechargeRecordExport = exportOf(rechargeRecordList, {
  id: "rechargeRecord.export",
  path: "/customer/rechargeRecord/export",
  may: screens("/dealmanage/rechargerecord"),
});
