/** Each password has at least eight characters and is in lower case. */
const COMMON: ReadonlySet<string> = new Set(
  `password password1 password12 password123 password1234 password12345 password! password!1 password1! password123! password@123
  passw0rd passw0rd1 passw0rd! p@ssw0rd p@ssw0rd1 p@ssw0rd! p@ssword p@ssword1 p@55w0rd pa$$word pa$$w0rd pass1234 pass12345 pass123456
  pass@123 pass@1234 passpass passwort passwort1 passwords mypassword thepassword newpassword oldpassword password0 password00 password01
  password2 password3 password4 password5 password6 password7 password8 password9 password10 password11 password13 password21 password22
  password69 password99 password2020 password2021 password2022 password2023 password2024 password2025 password2026 changeme changeme1
  changeme123 letmein1 letmein12 letmein123 letmein! letmeinnow welcome1 welcome12 welcome123 welcome1234 welcome@123 welcome! welcome2024
  welcome2025 welcome2026 administrator admin123 admin1234 admin12345 admin123456 admin@123 admin@1234 adminadmin admin2024 admin2025
  rootroot root1234 toor1234 test1234 test12345 test123456 testtest testing1 testing123 test@123 guest123 guest1234 default1 default123
  secret123 secret12 secret1234 topsecret mysecret user1234 user12345 username username1 login123 master123 master12 superman superman1
  superman12 superman123 supermann batman123 batman12 spiderman spiderman1 ironman1 pokemon1 pokemon123 pikachu1 starwars starwars1 matrix12
  trustno1 trustnoone whatever whatever1 nothing1 iloveyou iloveyou1 iloveyou2 iloveyou12 iloveyou123 iloveyou! iloveu123 ilovegod iloveme1
  loveyou1 lovelove lovely12 mylove123 loveme123 forever1 forever21 foreverlove sweetheart princess princess1 princess12 princess123 sunshine
  sunshine1 sunshine12 sunshine123 flower123 butterfly butterfly1 rainbow1 angel123 angels12 beautiful beautiful1 precious precious1 samantha
  michelle jennifer jennifer1 jessica1 jessica12 victoria elizabeth stephanie christine christina alexander alexandra alexandre benjamin
  nicholas jonathan anthony1 anthony12 michael1 michael12 michael123 jordan23 jordan123 jordan12 charlie1 charlie12 charlie123 daniel12
  daniel123 thomas12 andrew12 joshua12 matthew1 robert12 william1 patrick1 richard1 ashley12 ashley123 nicole12 hannah12 brandon1 chelsea1
  chelsea123 liverpool liverpool1 liverpool123 arsenal1 arsenal123 barcelona barcelona1 manchester manutd12 juventus realmadrid ronaldo7
  messi123 football football1 football12 football123 baseball baseball1 baseball12 basketball basketball1 softball volleyball hockey12
  soccer12 soccer123 yankees1 redsox04 cowboys1 steelers steelers1 eagles12 lakers24 dolphins dolphin1 dragon12 dragon123 dragonball monkey12
  monkey123 tiger123 tigger12 shadow12 shadow123 hunter12 hunter123 ranger12 killer12 killer123 cookie123 cookies1 chocolate chocolate1 banana12
  cheese12 orange12 purple12 summer12 summer123 summer2024 summer2025 summer2026 winter12 winter123 winter2024 winter2025 spring2025 spring2026
  autumn2025 freedom1 freedom123 computer computer1 computer12 internet internet1 internet123 google123 facebook facebook1 facebook123 linkedin
  instagram youtube1 samsung1 samsung123 iphone123 apple123 windows1 microsoft mercedes mercedes1 corvette mustang1 mustang12 ferrari1 porsche1
  porsche911 yamaha12 kawasaki harley12 scorpion phoenix1 metallica metallica1 nirvana1 slipknot slipknot1 blink182 blink-182 startrek mercury1
  creative november december september february midnight midnight1 elephant einstein galaxy123 diamond1 diamond123 crystal1 jasmine1 cristina
  isabella isabelle gabriel1 fernando alejandro alejandra carolina valentina estrella princesa contraseña tequiero teamo123 bonjour1 azertyuiop
  azerty123 azerty12 motdepasse soleil12 chouchou doudou12 loulou12 schatz12 passwort123 hallo123 hallo1234 qwertz123 qwertzuiop fussball
  qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty1! qwerty@123 qwertyqwerty qwerty78 qwe123qwe qweqweqwe qweasdzxc qweasd123
  qwe12345 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r! q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1qaz@wsx !qaz2wsx
  qazwsxedc qazwsx12 qazwsx123 zaq12wsx zaq1zaq1 zaq1xsw2 zaqxswcde zxcvbnm1 zxcvbnm123 zxcvbnm, zxcvbnm,./ asdfghjkl; asdfasdf asdf1234
  asdfgh12 asdfgh123 asdf12345 asd123asd asdqwe123 asdzxc123 123qweasd 123qweasdzxc 123qwe123 123qwe456 123asd123 12qwaszx 12qw34er
  a1b2c3d4 a1b2c3d4e5 a12345678 a123456789 a1234567 a1234567890 aa123456 aa12345678 aaa111222 aaaa1111 abc12345 abc123456 abc123abc abc@1234
  abcd1234 abcd12345 abcde123 abcde12345 abcdef12 abcdef123 abc123123 123abc123 1234abcd 12345abc 123456abc 12345qwert 123456qwe 123456asd
  1234qwer 12345qwe qwer1234 qwer12345 qwert123 qwert1234 qwert12345 qwerasdf 123456aa 123456ab 12345678a 123456789a 1234567a 123456789q
  1a2b3c4d 1234567q 123456zx 147258369 147852369 159357258 159753456 159357159 741852963 789456123 789456123a 789654123 963852741 987456321
  321654987 456789123 123654789 123789456 147896325 112233445566 11223344 1122334455 11112222 11223300 12341234 123454321 12344321 12345679
  123321123 123456654321 1234554321 1357924680 135792468 2468101214 0123456789 00000007 10203040 1020304050 102030405 12121212 13131313
  19841984 19851985 19861986 19871987 19881988 19891989 19901990 19911991 19921992 20002000 20202020 20252025 20262026 01012000 01011990
  01011980 31121999 14789632 55555555 87654321 88888888 99999999 11111111 00000000 krishna1 krishna123 ganesha1 jaishreeram jaimatadi omsairam
  sairam123 india123 india1234 india@123 bharat123 mumbai123 delhi123 hyderabad bangalore chennai1 kolkata1 hindustan cricket1 cricket123
  sachin10 sachin123 priyanka priyanka1 deepika1 rahul123 rohit123 rohit45 virat18 virat123 kohli18 amit1234 ankit123 abhishek abhishek1
  himanshu siddharth aishwarya lakshmi1 lakshmi123 saibaba1 mahadev1 harharmahadev sanjay123 rajesh123 suresh123 ramesh123 pooja123 neha1234
  perfume1 perfume123 perfumes fragrance fragrance1`
    .split(/\s+/)
    .filter(Boolean),
);

/** These rows have adjacent keys. */
const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  'qwertyuiopasdfghjklzxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
];
const BOTH_WAYS = RUNS.flatMap((run) => [run, [...run].toReversed().join('')]);

/** Matches one to four characters that are repeated: `aaaaaaaa`, `12341234`. */
const REPETITION = /^(?=.{1,16}$)(.{1,4}?)\1+$/su;

const SHOP = /^(?:ruhani)+(?:perfumes?|attars?|shop|store)?$/;

export const isCommonPassword = (password: string): boolean => {
  const lower = password.toLowerCase();
  return COMMON.has(lower) || REPETITION.test(lower) || BOTH_WAYS.some((run) => run.includes(lower));
};

/** Returns whether the password is the shop's name with digits, signs or capitals: `Ruhani@2026`. */
export const isShopsName = (password: string): boolean => SHOP.test(password.toLowerCase().replaceAll(/[^a-z]/g, ''));
