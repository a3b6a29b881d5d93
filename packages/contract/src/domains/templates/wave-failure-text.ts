/** Why a CPE made a wave of a rollout fail: the same in the panel of the rollout and in alarms. */
import { compileFailureText } from "#domains/delivery/failure-text.ts";
import { outcomeText } from "#domains/delivery/outcome-text.ts";
import { defineMessages, formatMessage, type Language, type Message } from "#kernel/message.ts";
import type { WaveFailure, WaveGate } from "./rollout.ts";

const reasons = defineMessages({
  task: ["设备未接受配置：{reason}", "The device did not take it over: {reason}"],
  arrival: ["{seconds} 秒内未生效", "Not running within {seconds} s"],
  contact: ["失联超过 {seconds} 秒", "Out of contact for {seconds} s"],
  links: ["在线链路 {now} 条，下发前 {before} 条", "{now|link|links} up, {before} before"],
  loss: ["丢包率 {now}%，下发前 {before}%", "Loss {now}%, {before}% before"],
  findings: ["{count} 个对象不生效：{objects}", "{count|object|objects} without effect: {objects}"],
} satisfies Readonly<Record<WaveGate, Message>>);

export function waveFailureText({ gate, params }: WaveFailure, language: Language): string {
  const { reason } = params;
  const given =
    gate === "task" && typeof reason === "string"
      ? { reason: outcomeText(compileFailureText(reason, language), language) }
      : params;
  return formatMessage(reasons[gate], language, given);
}

/** A wave that failed, as an alarm of one of its CPEs names it. */
export interface FailedWave extends WaveFailure {
  readonly template: string;
  readonly version: number;
  readonly wave: number;
}

const place: Message = [
  "模板“{template}”版本 {version} 第 {wave} 批：{why}",
  "version {version} of template “{template}”, wave {wave}: {why}",
];

export function failedWaveText(failed: FailedWave, language: Language): string {
  const { template, version, wave } = failed;
  const why = waveFailureText(failed, language);
  return formatMessage(place, language, { template, version, wave, why });
}
