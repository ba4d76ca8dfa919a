import type { PageLanguage } from "../../../app/page/page-language.ts";
import { az } from "./az.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { kk } from "./kk.ts";
import { ky } from "./ky.ts";
import type { PayerWords } from "./payer-words.ts";
import { ru } from "./ru.ts";
import { tg } from "./tg.ts";
import { uz } from "./uz.ts";

export const PAYER_WORDS: Readonly<Record<PageLanguage, PayerWords>> = { en, ru, kk, uz, az, ky, tg, es };
