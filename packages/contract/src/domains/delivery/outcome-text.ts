import { defineMessages, type Language } from "#kernel/message.ts";
import { deviceTexts } from "./device-text.ts";

/** Why a device did not take a state, or rolled it back. */
const outcomeMessages = defineMessages({
  incomplete: ["{cause}；回退未完成：{left}", "{cause}; the rollback is not complete: {left}"],
  lacks: ["设备缺少：{missing}", "this machine lacks: {missing}"],
  noLine: ["没有可用的 WAN 链路：{lines}", "no line can act: {lines}"],
  late: [
    "应用超过 {seconds} 秒，完成 {done}/{steps} 步",
    "the apply took more than {seconds} s, for {done} of {steps} steps",
  ],
  left: [
    "应用后未生效，剩余 {steps} 步：{first}",
    "did not take effect, {steps} steps are left: {first}",
  ],
  unconfirmed: ["控制器未确认该配置：{why}", "the controller did not confirm the state: {why}"],
  unreachable: [
    "应用后无法连接控制器：{why}",
    "the controller could not be reached after the apply: {why}",
  ],
  stopped: [
    "边缘程序在配置{phase}时停止，控制器尚未确认该配置",
    "the edge stopped while the state was {phase}; the controller had not confirmed it",
  ],
  otherNode: ["配置属于节点 {node}", "the document is for node {node}"],
  hash: ["配置段 {hash} 与校验值不符", "section {hash} does not match its hash"],
  unreadable: ["配置段 {hash} 无法读取：{why}", "section {hash} cannot be read: {why}"],
});

/** Phases of an apply in which an edge may stop. */
const phases: Readonly<Record<string, string>> = {
  applying: "应用中",
  applied: "已应用、等待确认",
  reverting: "回退中",
};

const texts = deviceTexts(outcomeMessages, (name, value, language) => {
  // The rollback of a state follows the reason for it.
  if (name === "cause") return outcomeText(value, language);
  return name === "phase" && language === "zh_cn" ? (phases[value] ?? value) : value;
});

/** The reason as a device writes it, in English. */
export const outcomeLine = texts.line;

/**
 * The reason of an outcome for users. What a program of the machine wrote, and a reason of a device of
 * another version, is shown unchanged.
 */
export const outcomeText = (reason: string, language: Language): string =>
  texts.read(reason, language);
