import type { Samples } from "./sample.ts";

/** Samples of what is sold between sites. */
export const circuitSamples: {
  readonly xwanCircuit: Samples<"xwanCircuit">;
  readonly cug: Samples<"cug">;
} = {
  xwanCircuit: {
    valid: ({ groupid, cpeId, popId }) => ({
      name: "杭州-上海-10M",
      groupid,
      sourceId: cpeId,
      targetId: popId,
      bandwidth: 10_000,
      guaranteed: 5_000,
      lineQuality: 1,
      enable: true,
      expireTime: new Date("2099-12-31T00:00:00Z"),
      remark: "",
    }),
    edited: (ids) => ({
      ...circuitSamples.xwanCircuit.valid(ids),
      name: "杭州-上海-8M",
      bandwidth: 8_000,
      guaranteed: null,
      enable: false,
      expireTime: null,
    }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "bandwidth", value: 63, rule: "bandwidth" },
      { field: "guaranteed", value: 10_001, rule: "aboveMaximum" },
      { field: "lineQuality", value: 9, rule: "oneOf" },
      { field: "expireTime", value: "soon", rule: "instant" },
    ],
  },
  cug: {
    valid: ({ groupid, cpeId }) => ({
      name: "财务专网",
      groupid,
      bandwidth: 8_200_000,
      cpeIds: [cpeId],
      enable: true,
      remark: "",
    }),
    edited: (ids) => ({
      ...circuitSamples.cug.valid(ids),
      name: "财务专网-2",
      bandwidth: 10_000_000,
      cpeIds: [],
      enable: false,
    }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "bandwidth", value: 63_999, rule: "bandwidth" },
      { field: "cpeIds", value: [0], rule: "integer" },
    ],
  },
};
