import { formatMessage, type Language, type Message } from "#kernel/message.ts";
import { type CompileFailure, compileFailures } from "./enums.ts";

/** Why no configuration of a device can be made. */
export const compileFailureTexts: Readonly<Record<CompileFailure, Message>> = {
  tooLarge: [
    "某项数量超过设备上限，请减少后保存",
    "there are more objects of a kind than a device accepts; remove some of them",
  ],
  unreadable: [
    "数据库中的部分设置无法读取，请联系控制器管理员",
    "some settings in the database cannot be read; contact the administrator of the controller",
  ],
  broken: [
    "设置之间有冲突，详见控制器日志",
    "the settings contradict each other; see the controller's log",
  ],
};

interface Failure {
  readonly code: CompileFailure;
  /** In terms of the device protocol, the same in every language. */
  readonly detail: string;
}

const isFailure = (value: unknown): value is Failure =>
  typeof value === "object" &&
  value !== null &&
  "code" in value &&
  compileFailures.some((code) => code === value.code) &&
  "detail" in value &&
  typeof value.detail === "string";

/** A device's own text may begin as JSON does. */
function readStored(stored: string): unknown {
  if (!stored.startsWith("{")) return null;
  try {
    return JSON.parse(stored);
  } catch {
    return null;
  }
}

/**
 * The reason as a sentence's end.
 * @param stored the failure as JSON; what a device says, and an event of an earlier release, which has its detail
 * alone, are shown as they are
 */
export function compileFailureText(stored: string, language: Language): string {
  const value = readStored(stored);
  if (!isFailure(value)) return stored;
  const reason = formatMessage(compileFailureTexts[value.code], language);
  return value.detail === "" ? reason : `${reason} (${value.detail})`;
}
