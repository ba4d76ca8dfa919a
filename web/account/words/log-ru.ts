import type { logEn } from "./log-en.ts";

function calls(count: number): string {
  const [tens, ones] = [count % 100, count % 10];
  if (tens >= 11 && tens <= 14) return "новых вызовов";
  if (ones === 1) return "новый вызов";
  return ones >= 2 && ones <= 4 ? "новых вызова" : "новых вызовов";
}

export const logRu: typeof logEn = {
  log: {
    title: "Журнал запросов",
    text: "Последние 10 000 вызовов каждого проекта и его ошибки за 30 дней. Номера карт, реквизиты, имена и коды скрыты.",
    search: "Поиск",
    searchHint: "Номер запроса или платежа, ошибка, адрес",
    status: "Результат",
    any: "Любой",
    statuses: { ok: "Успешные", error: "Ошибки", "4xx": "Ошибки 4xx", "5xx": "Ошибки 5xx" },
    path: "Вызов",
    from: "С",
    to: "По",
    filters: "Фильтры",
    clear: "Сбросить фильтры",
    apply: "Применить",
    columnStatus: "Статус",
    columnCall: "Вызов",
    columnPayment: "Платёж",
    columnKey: "Ключ",
    columnLatency: "Время",
    columnWhen: "Когда",
    newCalls: (count, isMore) => `${isMore ? `Не меньше ${count}` : count} ${calls(count)}.`,
    showNew: "Показать",
    unsigned: "Не опознан",
    unsignedText: "Нет верной подписи ключом этого проекта. Запрос отклонён.",
    missed: (count) =>
      `Ещё столько вызовов называли ваши проекты без верной подписи: ${count}. Они посчитаны, но не записаны.`,
    stopped: (time) => `Поиск дошёл до ${time}.`,
    empty: "Вызовов пока нет",
    emptyText:
      "Вызовы вашего сервера появляются здесь через секунду после ответа. Отправьте первый со своим ключом API.",
    emptyFiltered: "Таких вызовов нет",
    emptyFilteredText: "Измените поиск, результат или даты.",
    detail: "Вызов",
    close: "Закрыть вызов",
    missing: "Этого вызова больше нет в журнале",
    missingText: "Его место заняли более новые, или адрес неверный.",
    requestId: "Номер запроса",
    at: "Время",
    latency: "Ответ через",
    ms: (count) => `${count} мс`,
    key: "Ключ",
    keyUnnamed: (id) => `Ключ ${id}`,
    noKey: "Ни один из ваших ключей",
    address: "Адрес",
    project: "Проект",
    payment: "Платёж",
    openPayment: "Открыть платёж",
    replay: "Повтор",
    replayText: "Этот платёж уже был создан более ранним вызовом.",
    request: (size) => `Запрос, ${size}`,
    answer: (size) => `Ответ, ${size}`,
    emptyBody: "Тела нет.",
    bytes: (count) => `${count} байт`,
    curl: "Командой",
    curlText: "Без подписи и секретов. Скрытые значения нужно вписать заново.",
    copyCurl: "Скопировать как curl",
  },
};
