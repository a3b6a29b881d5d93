import { expect, test } from "vitest";
import { defineEnvironment } from "./test-environment.ts";

test("settings, locales and options of the caller do not reach tests", () => {
  const kept = { PATH: "/bin", TMPDIR: "/t", CI: "true", https_proxy: "p", GIT_SSL_CAINFO: "c" };
  const dropped = {
    WEFT_PORT: "1",
    WEFT_TEST_DATABASE_URL: "u",
    NODE_ENV: "production",
    PGHOST: "h",
  };
  const env: NodeJS.ProcessEnv = { ...kept, ...dropped, LC_ALL: "zh_CN", GIT_DIR: "/r", TZ: "EET" };
  defineEnvironment(env);
  expect(env).toEqual({ ...kept, LANG: "C.UTF-8" });
});
