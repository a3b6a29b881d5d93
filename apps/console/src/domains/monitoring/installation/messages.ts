import type {
  installationStatus,
  PartState,
} from "@weft/contract/domains/monitoring/installation.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import { useTexts } from "#client/texts.ts";
import type { StateLabel } from "#ui/glyph.tsx";

export const installationMessages = defineMessages({
  "installation.title": ["系统状态", "System status"],
  "installation.state.ok": ["正常", "Healthy"],
  "installation.state.warn": ["注意", "Attention"],
  "installation.state.bad": ["异常", "Faulty"],
  "installation.state.unknown": ["未知", "Unknown"],
  "installation.seconds": ["{n} 秒", "{n} s"],
  "installation.minutes": ["{n} 分钟", "{n} min"],
  "installation.hours": ["{n} 小时", "{n} h"],
  "installation.days": ["{n} 天", "{n} d"],

  "installation.processes": ["进程", "Processes"],
  "installation.processesNone": ["尚无进程上报", "No process has reported yet"],
  "installation.missing": ["没有运行 {role} 的进程", "No process runs {role}"],
  "installation.versions": ["进程版本不一致", "Processes run different versions"],
  "installation.version": ["版本", "Version"],
  "installation.started": ["启动时间", "Started"],
  "installation.seen": ["最近上报", "Last report"],
  "installation.pid": ["进程号", "Process id"],
  "installation.devices": ["在线设备", "Devices"],
  "installation.loopDelay": ["事件循环延迟 P99", "Loop delay P99"],
  "installation.disk": ["磁盘可用", "Free disk"],
  "installation.ofDisk": ["{free} / {total}", "{free} of {total}"],
  "installation.failing": ["未就绪：{parts}", "Not ready: {parts}"],
  "installation.silent": ["已停止上报", "No longer reports"],

  "installation.queues": ["队列", "Queues"],
  "installation.waits": ["最早等待 {age}", "oldest waits {age}"],
  "installation.queue.changes": ["配置变更", "Configuration changes"],
  "installation.queue.compile": ["待编译节点", "Nodes to compile"],
  "installation.queue.audit": ["待封存日志", "Log rows to seal"],
  "installation.queue.outbox": ["邮件和短信", "E-mails and text messages"],
  "installation.queue.batches": ["批量任务", "Bulk jobs"],
  "installation.queue.commands": ["设备命令", "Commands to devices"],

  "installation.ingestion": ["指标入库", "Metrics ingestion"],
  "installation.newest": ["最新样本", "Newest"],
  "installation.newestNone": ["一天内没有样本", "No sample within a day"],
  "installation.waitingRows": ["待写入行", "Waiting rows"],
  "installation.oldestRow": ["最早等待", "Oldest waits"],
  "installation.refused": ["拒收消息", "Refused"],
  "installation.noDevices": ["没有设备连接", "No devices connected"],
  "installation.notReported": ["没有进程上报", "No process reports it"],

  "installation.stores": ["存储", "Stores"],
  "installation.store.postgresql": ["PostgreSQL", "PostgreSQL"],
  "installation.store.clickhouse": ["ClickHouse", "ClickHouse"],
  "installation.noAnswer": ["没有响应", "Does not answer"],
  "installation.size": ["占用 {size}", "{size} used"],
  "installation.room": ["可用 {free} / {total}", "{free} of {total} left"],
  "installation.roomUnknown": ["磁盘空间未上报", "Disk space is not reported"],

  "installation.keys": ["证书与密钥", "Certificates and keys"],
  "installation.key.gateway": ["网关证书 {place}", "Gateway certificate {place}"],
  "installation.key.controller": ["控制器密钥", "Controller key"],
  "installation.key.api": ["API 密钥", "API keys"],
  "installation.ends": ["有效期至", "Expires"],
  "installation.since": ["启用于", "In use since"],
  "installation.neverEnds": ["无到期时间", "No expiry"],
  "installation.prepared": ["新密钥已准备，待启用", "A new key is prepared and not activated"],
  "installation.apiNone": ["没有 API 密钥", "No API keys"],
  "installation.apiSoon": ["{count} 个 14 天内到期", "{count} expire within 14 days"],
  "installation.apiFirst": ["最早到期", "First expires"],

  "installation.backup": ["最近备份", "Last backup"],
  "installation.backupNone": [
    "没有已知的备份；请运行 npm run backup",
    "No backup is known; run npm run backup",
  ],
});

export type Status = OutputOf<typeof installationStatus>;

export const useInstallationTexts = () => useTexts(installationMessages);
export type InstallationTexts = ReturnType<typeof useInstallationTexts>;

/** A state with its icon, which is called as the state; what is unknown has its own. */
export const stateOf = (state: PartState, t: InstallationTexts): StateLabel => ({
  glyph: state,
  label: t(`installation.state.${state}`),
});

/** A duration in the largest unit that it fills: 45 s, 12 min, 3 h, 2 d. */
export const ageText = (seconds: number, t: InstallationTexts): string => {
  if (seconds < 120) return t("installation.seconds", { n: Math.round(seconds) });
  if (seconds < 7_200) return t("installation.minutes", { n: Math.floor(seconds / 60) });
  if (seconds < 172_800) return t("installation.hours", { n: Math.floor(seconds / 3_600) });
  return t("installation.days", { n: Math.floor(seconds / 86_400) });
};
