/** Clouds whose border routers a POP attaches to. */
export const clouds = [
  "aliyun",
  "tencent",
  "huawei",
  "ctyun",
  "aws",
  "azure",
  "google",
  "other",
] as const;
