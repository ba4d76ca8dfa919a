import { describe, expect, it } from "vitest";
import { offeredBanks } from "../../src/app/page/offered-banks.ts";
import { makeSymbol, NO_SBP_CODE } from "../../src/core/merchants/bank.ts";
import { BANK_LANGUAGES } from "../../src/core/merchants/bank-look.ts";
import { BANK_SEED } from "../../src/core/merchants/bank-seed.ts";
import type { Method } from "../../src/core/merchants/methods.ts";
import type { StoredBank } from "../../src/store/merchants/banks.ts";
import { textColourOn } from "../../web/kit/accent.ts";
import { appLink } from "../../web/widget/banks/app-link.ts";
import { nameOfBank } from "../../web/widget/banks/bank-name.ts";
import { findBanks, knownBanks } from "../../web/widget/banks/find-banks.ts";
import { groupBanks } from "../../web/widget/banks/list-banks.ts";
import { colourOf, initialsOf } from "../../web/widget/banks/mark.ts";
import { soundOf } from "../../web/widget/banks/sound.ts";
import { countErrors } from "../../web/widget/banks/typing-errors.ts";

/** The first banks as the server has them, and as the page gets them. */
const taken = new Set<string>();
const banks = BANK_SEED.map((seed): StoredBank => {
  const symbol = makeSymbol(seed, taken);
  taken.add(symbol);
  const isSbpBank = seed.sbpCode !== NO_SBP_CODE;
  return { ...seed, symbol, isSbpBank, id: symbol as StoredBank["id"], disabledAt: null, imageVersion: null };
});

function offered(method: Method, currency: string) {
  return offeredBanks({ banks }, { method, currency, direction: "payin" } as Parameters<typeof offeredBanks>[1]);
}

const LISTS = {
  RU: offered("sbp-p2p", "RUB"),
  KZ: offered("mobile-p2p", "KZT"),
  UZ: offered("card-p2p", "UZS"),
} as const;

const KNOWN = { RU: knownBanks(LISTS.RU), KZ: knownBanks(LISTS.KZ), UZ: knownBanks(LISTS.UZ) };

function firstOf(country: keyof typeof KNOWN, typed: string): string | undefined {
  return findBanks(KNOWN[country], typed)[0]?.symbol;
}

/** The 20 largest banks of Russia, and what a payer types: Russian, Kazakh, Uzbek, other alphabets, slips. */
const RUSSIAN: Readonly<Record<string, string>> = {
  sberbank:
    "сбер, Сбербанк, СБЕРБАНК, сбербанк онлайн, сбер онлайн, sber, Sberbank, sberbanki, c,th, C,TH, ыиук, сбр банк, сбербакн, сьербанк",
  vtb: "втб, ВТБ, vtb, dn,, ВТБ банк, втб банкі, VTB banki, внешторгбанк, vneshtorgbank",
  gazprombank: "газпром, Газпромбанк, газпром банк, гпб, GPB, gazprom, Gazprombank, ufpghjv, газромбанк, газпромбнак",
  "alfa-bank":
    "альфа, Альфа-Банк, альфа банк, альфабанк, alfa, alpha, Alfa-bank, alfabank, alfa banki, fkmaf, алфа, альфо",
  rosselkhozbank: "россельхоз, Россельхозбанк, рсхб, RSHB, rosselkhoz, Rosselxozbank, россельхос, hcx,",
  "t-bank":
    "т-банк, Т-Банк, тбанк, т банк, тинькофф, Тинькоф, тиньк, тиньков, t-bank, tbank, T-Bank, tinkoff, tinkof, tinkov, nbymrjaa, n-,fyr",
  "credit-bank-of-moscow":
    "мкб, МКБ, mkb, московский кредитный, московский кредитный банк, Мәскеу несие банкі, маскеу несие, Moskva kredit banki, credit bank of moscow, moscow, vr,",
  sovcombank: "совком, Совкомбанк, халва, sovcom, Sovkombank, cjdrjv, совкомбнк",
  "bank-dom-rf": "дом рф, ДОМ.РФ, домрф, банк дом, Банк ДОМ.РФ, дом.рф банкі, dom rf, dom.rf, DOM RF banki, ljv",
  psb: "псб, ПСБ, psb, промсвязьбанк, промсвязь, Promsvyazbank, promsvyaz, gc,",
  raiffeisenbank: "райф, Райффайзен, райфайзен, Райффайзенбанк, райфазен, raif, raiffeisen, Rayffayzenbank, hfqa",
  "bank-rossiya":
    "россия, банк россия, Банк «Россия», «Россия» банкі, абр, rossiya, Rossiya banki, bank rossiya, hjccbz",
  "bank-saint-petersburg":
    "санкт-петербург, санкт петербург, банк санкт-петербург, бспб, BSPB, питер, Санкт-Петербург банкі, Sankt-Peterburg banki, saint petersburg, petersburg",
  "unicredit-bank": "юникредит, ЮниКредит Банк, unicredit, UniCredit, yunikredit, Unikredit bank, .ybrhtlbn",
  "ak-bars": "ак барс, Ак Барс Банк, акбарс, ак барс банкі, ak bars, akbars, Ak Bars banki, fr ,fhc",
  "mts-bank": "мтс, МТС Банк, мтс-банк, mts, MTS Bank, mts banki, vnc",
  tkb: "ткб, ТКБ, tkb, транскапитал, Транскапиталбанк, Transkapitalbank, nr,",
  "absolut-bank": "абсолют, Абсолют Банк, absolut, Absolyut Bank, абсалют, f,cjk.n",
  "ozon-bank": "озон, Озон Банк, ozon, Ozon Bank, ozon banki, jpjy, озн банк",
  "yandex-bank": "яндекс, Яндекс Банк, yandex, Yandeks Bank, яндекс пэй, zyltrc, яндкс",
};

const KAZAKH: Readonly<Record<string, string>> = {
  "kaspi-bank": "каспи, Каспи Банк, қаспи, каспи голд, kaspi, Kaspi.kz, rfcgb, каспий, касби",
  "halyk-bank": "халык, Халық, Халық Банкі, Народный банк, народный, halyk, halyq, xalyk, {fksr, halik",
  "bank-centercredit":
    "бцк, БЦК, bcc, центркредит, центр кредит, ЦентрКредит Банкі, centercredit, center credit, tsentrkredit",
  fortebank: "форте, Форте Банк, forte, fortebank, форте банкі, ajhnt",
  "freedom-bank": "фридом, Freedom, freedom bank, фридом банк, ahbljv, фредом",
  "alatau-city-bank": "алатау, Алатау Сити, жусан, jusan, zhusan, alatau, alatau siti",
  "eurasian-bank": "евразийский, евразия, Еуразиялық, еуразия, eurasian, yevraziyskiy",
  "bereke-bank": "береке, Bereke, берекебанк",
  "home-credit-bank": "хоум, Хоум Кредит, home credit, homecredit",
  "otbasy-bank": "отбасы, Отбасы банк, otbasy, жилстрой, Жилстройсбербанк",
  "bank-rbk": "рбк, Банк РБК, rbk, RBK Bank, bank rbk",
};

const UZBEK: Readonly<Record<string, string>> = {
  kapitalbank: "капитал, Капиталбанк, kapital, Kapitalbank, kapital bank, capital, rfgbnfk",
  "uzum-bank": "узум, uzum, Uzum Bank, узум банк, апельсин, apelsin",
  hamkorbank: "хамкор, Ҳамкорбанк, hamkor, xamkor, Hamkorbank",
  "ipak-yuli-bank": "ипак, Ипак Йули, ипак йўли, Ipak Yoʻli, ipak yo'li, ipak yuli, ipakyoli",
  "xalq-banki": "халк, Халқ банки, xalq, Xalq banki, halq, народный, Народный банк",
  "national-bank-of-uzbekistan":
    "нбу, nbu, Ўзмиллийбанк, Oʻzmilliybank, uzmilliybank, milliy, национальный, national bank",
  sqb: "sqb, Узпромстрой, Oʻzsanoatqurilishbank, sanoat qurilish, Саноат қурилиш, упсб",
  "ipoteka-bank": "ипотека, Ipoteka, ipoteka bank, Ипотека-банк",
  asakabank: "асака, Asaka, Asakabank, асака банк",
  agrobank: "агро, Агробанк, agrobank, agro",
  "tbc-bank": "tbc, тибиси, ТиБиСи, тбс, TBC Bank",
  anorbank: "анор, anor, Anorbank",
};

function rowsOf(table: Readonly<Record<string, string>>): [typed: string, symbol: string][] {
  return Object.entries(table).flatMap(([symbol, words]) =>
    words.split(/, |,$/).flatMap((typed) => (typed === "" ? [] : [[typed, symbol] as [string, string]])),
  );
}

describe("the first bank that is found", () => {
  it("has 20 banks to find in Russia, and all that it lists", () => {
    expect(Object.keys(RUSSIAN)).toHaveLength(20);
    const symbols = Object.values(LISTS).flatMap((list) => list.map(({ symbol }) => symbol));
    for (const table of [RUSSIAN, KAZAKH, UZBEK]) expect(symbols).toEqual(expect.arrayContaining(Object.keys(table)));
  });

  it.each([
    ["RU", RUSSIAN],
    ["KZ", KAZAKH],
    ["UZ", UZBEK],
  ] as const)("is the one that is meant: %s", (country, table) => {
    const rows = rowsOf(table);
    const found = rows.map(([typed]) => [typed, firstOf(country, typed)]);
    expect(found).toEqual(rows);
  });

  it.each(Object.entries(LISTS))("is the bank itself for each of its own names: %s", (country, list) => {
    for (const bank of list) {
      for (const name of [bank.name, ...Object.values(bank.names ?? {}), ...(bank.aliases ?? [])])
        expect([name, firstOf(country as keyof typeof KNOWN, name)]).toEqual([name, bank.symbol]);
    }
  });
});

describe("a search", () => {
  const symbols = (typed: string) => findBanks(KNOWN.RU, typed).map(({ symbol }) => symbol);

  it("shows all banks, popular ones first, while nothing is typed, or nothing but the word", () => {
    expect(symbols("  ")).toEqual(LISTS.RU.map(({ symbol }) => symbol));
    expect(symbols("банк ")).toEqual(symbols(""));
    expect(symbols("").slice(0, 4)).toEqual(["sberbank", "t-bank", "vtb", "alfa-bank"]);
  });

  it.each(["no such bank", "xyzzy", "12345", "💥", "сберрррегазабанк", "...", "\u0000"])(
    "finds none for %j",
    (typed) => {
      expect(symbols(typed)).toEqual([]);
    },
  );

  it("puts the beginning of a name before that of a word, and that before a part", () => {
    expect(symbols("рос")).toEqual(["bank-rossiya", "rosselkhozbank", "rostfinance", "vbrr"]);
    expect(symbols("кред")).toEqual(
      expect.arrayContaining(["credit-bank-of-moscow", "kuban-kredit", "unicredit-bank"]),
    );
    expect(symbols("кред").at(-1)).toBe("unicredit-bank");
  });

  it("shows no bank that only resembles the word where one has it", () => {
    expect(symbols("альфа")).toEqual(["alfa-bank"]);
    expect(symbols("тинькофф")).toEqual(["t-bank"]);
  });

  it("is over soon, whatever is pasted into it", () => {
    const before = process.cpuUsage();
    for (let round = 0; round < 20; round += 1) findBanks(KNOWN.RU, "ы".repeat(200));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 20).toBeLessThan(100_000);
  });
});

it("hears one name in every spelling", () => {
  for (const spelling of ["Тинькофф", "тинькоф", "TINKOFF", "Tin'koff"]) expect(soundOf(spelling)).toEqual(["tinkof"]);
  expect(soundOf("Ёлка-Банк «Щёголь»")).toEqual(["elka", "bank", "shegol"]);
});

it.each([
  ["sber", "sberbank", 0],
  ["sebr", "sberbank", 1],
  ["sbr", "sberbank", undefined],
  ["sbebank", "sberbank", 1],
  ["sbrebanc", "sberbank", 2],
  ["gazpromm", "alfabank", undefined],
  ["", "sberbank", 0],
])("counts the slips in %j for %j: %j", (typed, name, errors) => {
  expect(countErrors(typed, name)).toBe(errors);
});

it("keeps what the page gets small: 35 Russian banks with all their names in less than 8 kB", () => {
  expect(LISTS.RU).toHaveLength(35);
  const bytes = Buffer.byteLength(JSON.stringify(LISTS.RU));
  expect(bytes).toBeGreaterThan(2_000);
  expect(bytes).toBeLessThan(8_000);
});

describe("a mark", () => {
  it.each([
    ["Сбербанк", "С"],
    ["Т-Банк", "Т"],
    ["ВТБ", "ВТБ"],
    ["МТС Банк", "МТС"],
    ["Ак Барс Банк", "АБ"],
    ["Bank DOM.RF", "DR"],
    ["ЮMoney", "ЮM"],
    ["Credit Bank of Moscow", "CM"],
    ["Банк", "Б"],
    ["Oʻzmilliybank", "O"],
    ["«»", ""],
  ])("of %s has the letters %j", (name, letters) => expect(initialsOf(name)).toBe(letters));

  it("has one colour for ever, and letters that can be read on it", () => {
    for (const { symbol, colour = colourOf(symbol) } of Object.values(LISTS).flat()) {
      expect(colour).toMatch(/^#[0-9a-f]{6}$/);
      expect(contrast(colour, textColourOn(colour))).toBeGreaterThanOrEqual(4.5);
    }
    expect(colourOf("avangard")).toBe(colourOf("avangard"));
    expect(new Set(LISTS.RU.map(({ symbol }) => colourOf(symbol))).size).toBeGreaterThan(5);
  });
});

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("the name of a bank", () => {
  const bank = { symbol: "a", name: "Сбербанк", names: { en: "Sberbank", kk: "Сбер" } } as const;

  it("is of the page's language, or of one that is written in the same alphabet", () => {
    const names = (["en", "ru", "kk", "ky", "uz", "es"] as const).map((language) => nameOfBank(bank, language));
    expect(names).toEqual(["Sberbank", "Сбербанк", "Сбер", "Сбербанк", "Sberbank", "Sberbank"]);
  });

  it.each(BANK_LANGUAGES)("comes to the page as it is stored: %s", (language) => {
    const nearest = { kk: "ru", ky: "ru", tg: "ru", ru: "ru", en: "en", uz: "en", az: "en", es: "en" } as const;
    const listed = new Map(
      Object.values(LISTS)
        .flat()
        .map((each) => [each.symbol, each]),
    );
    for (const { symbol, names, name } of banks) {
      const shown = listed.get(symbol);
      const stored = names[language] ?? names[nearest[language]] ?? name;
      if (shown !== undefined) expect(nameOfBank(shown, language)).toBe(stored);
    }
  });
});

describe("the banks while nothing is typed", () => {
  it("are the last one, the popular ones in their order, and the others by name in the page's language", () => {
    const groups = groupBanks(LISTS.RU, "tkb", "ru");
    expect(groups.map(({ kind }) => kind)).toEqual(["last", "popular", "all"]);
    expect(groups[0]?.banks.map(({ symbol }) => symbol)).toEqual(["tkb"]);
    const others = groups[2]?.banks.map((bank) => nameOfBank(bank, "ru")) ?? [];
    expect(others).toEqual(others.toSorted((a, b) => a.localeCompare(b, "ru")));
    expect(groups.flatMap((group) => group.banks).length).toBe(35);
  });

  it("are in no group that is empty", () => {
    expect(groupBanks(LISTS.RU, "no-longer-there", "en").map(({ kind }) => kind)).toEqual(["popular", "all"]);
    expect(groupBanks([], undefined, "en")).toEqual([]);
  });
});

describe("a link for a bank's app", () => {
  it.each([
    ["https://qr.nspk.ru/AD1?type=02", "bank100000000111", "bank100000000111://qr.nspk.ru/AD1?type=02"],
    ["https://qr.nspk.ru/", "bank100000000111", undefined],
    ["https://qr.nspk.ru.evil.example/AD1", "bank100000000111", undefined],
    ["https://evil.example/qr.nspk.ru/AD1", "bank100000000111", undefined],
    ["http://qr.nspk.ru/AD1", "bank100000000111", undefined],
    ["javascript:alert(1)//qr.nspk.ru/AD1", "bank100000000111", undefined],
    ["https://qr.nspk.ru/AD1", undefined, undefined],
    ["https://qr.nspk.ru/AD1", "javascript", undefined],
    [undefined, "bank100000000111", undefined],
  ])("of %j and %j is %j", (url, scheme, link) => expect(appLink(url, scheme)).toBe(link));
});
