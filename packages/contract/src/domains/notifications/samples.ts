import type { SamplesOf } from "#contract/samples/sample.ts";
import type { resources } from "./domain.ts";

/** Drafts of each resource of this domain. */
export const samples: SamplesOf<typeof resources> = {
  alarmStrategy: {
    valid: ({ groupid, cpeId, popId }) => ({
      name: "门店断网",
      groupid,
      enable: true,
      cpeIds: [cpeId],
      popIds: [popId],
      recipientIds: [],
      remark: "",
    }),
    edited: (ids) => ({
      ...samples.alarmStrategy.valid(ids),
      name: "全部站点",
      enable: false,
      cpeIds: [],
      popIds: [],
    }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "name", value: "<b>", rule: "name" },
      { field: "cpeIds", value: [0], rule: "integer" },
      { field: "recipientIds", value: [0], rule: "integer" },
    ],
  },
  alarmRule: {
    valid: ({ alarmStrategyId = 1 }) => ({
      strategyId: alarmStrategyId,
      metric: "loss",
      compareType: 1,
      threshold: 5,
      hysteresis: 2,
      duration: 60,
      recovery: 120,
      level: 2,
      enable: true,
    }),
    edited: (ids) => ({
      ...samples.alarmRule.valid(ids),
      metric: "line",
      compareType: null,
      threshold: null,
      hysteresis: 0,
      level: 1,
    }),
    invalid: [
      { field: "threshold", value: 101, rule: "alarmThreshold" },
      { field: "threshold", value: -1, rule: "alarmThreshold" },
      { field: "threshold", value: null, rule: "required" },
      { field: "compareType", value: null, rule: "required" },
      { field: "compareType", value: 5, rule: "oneOf" },
      { field: "metric", value: "noise", rule: "oneOf" },
      { field: "duration", value: 86_401, rule: "outOfRange" },
      { field: "level", value: 0, rule: "oneOf" },
    ],
  },
  messageReceive: {
    valid: ({ groupid }) => ({
      name: "值班组",
      groupid,
      email: "noc@example.com",
      emailFlag: true,
      phone: "13800000003",
      phoneFlag: false,
      language: "zh_cn",
      remark: "",
    }),
    edited: (ids) => ({
      ...samples.messageReceive.valid(ids),
      name: "夜班",
      email: null,
      emailFlag: false,
      phoneFlag: true,
      language: "en_gb",
    }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "email", value: "nobody", rule: "email" },
      { field: "email", value: null, rule: "required" },
      { field: "phone", value: "0571", rule: "phone" },
      { field: "language", value: "de", rule: "oneOf" },
    ],
  },
};
