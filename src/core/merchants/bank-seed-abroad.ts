/** Banks outside the Russian fast payment system, by country. See `readTable` in bank-seed.ts for the columns. */
export const BANKS_ABROAD = `
KZ|Kaspi Bank|Каспи Банк|||1|#d63a2f
KZ|Halyk Bank|Халык Банк|kk Халық Банкі|Народный банк Казахстана|2|#14804a
KZ|ForteBank|Форте Банк|||4|#8f1d3f
KZ|Bank CenterCredit|Банк ЦентрКредит|kk ЦентрКредит Банкі|БЦК,BCC|3|#2c6e49
KZ|Freedom Bank|Фридом Банк|||5|#26804a
KZ|Alatau City Bank|Алатау Сити Банк||Жусан
KZ|Eurasian Bank|Евразийский банк|kk Еуразиялық банк
KZ|Bereke Bank|Береке Банк
KZ|Home Credit Bank|Хоум Кредит Банк
KZ|Otbasy Bank|Отбасы банк||Жилстройсбербанк
KZ|Bank RBK|Банк РБК
KZ|Nurbank|Нурбанк
UZ|Kapitalbank|Капиталбанк|||1|#5b2d8e
UZ|National Bank of Uzbekistan|Национальный банк Узбекистана|uz Oʻzmilliybank|НБУ,NBU,Oʻzbekiston Milliy banki||#1d4f91
UZ|SQB|Узпромстройбанк|uz Oʻzsanoatqurilishbank|Sanoat Qurilish Bank,УПСБ||#0f6fb5
UZ|Xalq Banki|Народный банк|uz Xalq banki|Халк банк|5|#177a4f
UZ|Hamkorbank|Хамкорбанк|||3|#16794b
UZ|Ipoteka-Bank|Ипотека-банк
UZ|Asakabank|Асакабанк|uz Asaka bank
UZ|Agrobank|Агробанк
UZ|Ipak Yuli Bank|Ипак Йули Банк|uz Ipak Yoʻli Bank||4|#c8382e
UZ|Aloqabank|Алокабанк
UZ|Uzum Bank|Узум Банк||Апельсин|2|#6d2bd9
UZ|TBC Bank|ТиБиСи Банк||ТБС
UZ|Anorbank|Анорбанк
UZ|Orient Finans Bank|Ориент Финанс Банк||OFB
UZ|Mikrokreditbank|Микрокредитбанк
UZ|Turonbank|Туронбанк
AZ|Kapital Bank|Капитал Банк||Birbank|1|#d5213c
AZ|ABB|АББ|az Azərbaycan Beynəlxalq Bankı|Международный банк Азербайджана,International Bank of Azerbaijan|2|#1c4fa3
AZ|PASHA Bank|Паша Банк
AZ|Unibank|Юнибанк||Leobank|3|#7b2fd0
AZ|Bank Respublika|Банк Республика
AZ|AccessBank|АксессБанк
AZ|Xalq Bank|Халг Банк
AZ|Rabitabank|Рабитабанк
AZ|Yelo Bank|Йело Банк
KG|MBank|МБанк||Банк Кыргызстан|1|#0a7a41
KG|Optima Bank|Оптима Банк|||2|#c5222f
KG|Demir Bank|Демир Банк|||4|#b01e2e
KG|Bakai Bank|Бакай Банк|||3|#1f5fae
KG|Eldik Bank|Элдик Банк||РСК Банк
KG|Aiyl Bank|Айыл Банк
KG|O!Bank|О!Банк|||5|#c42a7b
KG|KICB|КИКБ||Кыргызский инвестиционно-кредитный банк
TJ|Alif Bank|Алиф Банк|tg Бонки Алиф||1|#1b7c45
TJ|Amonatbonk|Амонатбонк|||2|#1a6f45
TJ|Eskhata Bank|Банк Эсхата|tg Бонки Эсхата||3|#1f57a8
TJ|Dushanbe City Bank|Душанбе Сити Банк
TJ|Spitamen Bank|Спитамен Банк
TJ|Orienbank|Ориенбанк|tg Ориёнбонк
NG|Zenith Bank|||||#c8202f
NG|Access Bank
NG|First Bank|||First Bank of Nigeria
NG|GTBank|||Guaranty Trust Bank
NG|UBA|||United Bank for Africa
NG|Fidelity Bank
NG|FCMB|||First City Monument Bank
NG|Sterling Bank
NG|Kuda Bank
AR|Banco Nacion||es Banco Nación|||#1f6fa8
AR|Banco Galicia
AR|Banco Santander
AR|BBVA|||Banco Frances
AR|Banco Macro
AR|Banco Provincia
AR|Brubank`;
