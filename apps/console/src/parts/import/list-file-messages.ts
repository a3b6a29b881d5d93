import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts of the button of a list, which every page has; the dialog behind it has its own. */
export const listFileMessages = defineMessages({
  "files.button": ["导入 / 导出", "Import / export"],
  "files.xlsx": ["导出为 Excel (xlsx)", "Export as Excel (xlsx)"],
  "files.csv": ["导出为 CSV", "Export as CSV"],
  "files.import": ["从文件导入…", "Import from a file…"],
  "files.within": ["{what}（全部 {of}）", "{what}s of all {of}s"],
  "files.paste": ["粘贴多行…", "Paste lines…"],
  "files.template": ["下载导入模板", "Download an import template"],
});
