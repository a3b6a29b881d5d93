import type { Language } from "./language.ts";

interface Step {
  /** How its line of the log begins. */
  readonly begins: string;
  readonly zh: string;
  /** It may come after the address is printed, and is worth a line then as well. */
  readonly isLate?: boolean;
}

/** Lines of the log that are steps of a start; the test demands that each is still written somewhere. */
export const steps: readonly Step[] = [
  { begins: "using the PostgreSQL that is already running", zh: "沿用已在运行的 PostgreSQL" },
  { begins: "PostgreSQL started", zh: "PostgreSQL 已启动" },
  { begins: "database roles set up", zh: "数据库角色已就绪" },
  { begins: "database migrated", zh: "数据库结构已更新" },
  { begins: "edge listener open", zh: "设备接入端口已打开" },
  { begins: "controller started", zh: "控制器已启动" },
  { begins: "the demonstration's past is written", zh: "演示的历史数据已写入", isLate: true },
  {
    begins: "the demonstration's nodes have a history",
    zh: "演示节点的变更历史已生成",
    isLate: true,
  },
];

/** The text of a line of the log for the person who waits; null: it is no step. */
export function stepText(message: string, language: Language, isStarting: boolean): string | null {
  const step = steps.find(({ begins }) => message.startsWith(begins));
  if (step === undefined || !(isStarting || step.isLate)) return null;
  return language === "zh" ? step.zh : message;
}
