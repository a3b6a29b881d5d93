/**
 * Weeks and months of the date pickers in the reader's language. Imported beside a picker, so that
 * the library of dates comes with the first of them and not with the shell.
 */
import dayjs from "dayjs";
import "dayjs/locale/en-gb";
import "dayjs/locale/zh-cn";
import { currentLanguage, onLanguage } from "./language.ts";

const follow = (): void => {
  dayjs.locale(currentLanguage() === "zh_cn" ? "zh-cn" : "en-gb");
};
follow();
onLanguage(follow);
