import type { Message } from "#kernel/message.ts";

/** The fixed document title of section 2.2. */
export const documentTitle: Message = ["SD-WAN 编排管理平台", "SD-WAN Orchestrator"];
