"""Questions in many languages to a real index of real sentences, by full text alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from trueref_plugin.build.build import index_site
from trueref_server.records import Answer, Question
from trueref_server.service import Service
from trueref_server.settings import load_settings

PAGES = {
    "en": ("Settings", ["The diary is encrypted with a passphrase.", "Copy the file to another disk."]),
    "zh": (
        "设置",
        [
            "在设置中写入 encrypt，日记就会用密码加密。每次启动时都会询问密码。",
            "关闭程序之后，把日记文件复制到另一个磁盘作为备份。",
            "程序安装在独立的环境中，需要四十兆磁盘空间。",
        ],
    ),
    "ja": (
        "設定",
        [
            "設定すると、日記はパスフレーズで暗号化されます。起動のたびに尋ねられます。",
            "プログラムを終了してから、日記のファイルを別のディスクにコピーしてバックアップします。",
            "プログラムは専用の環境にインストールします。",
        ],
    ),
    "ko": (
        "설정",
        [
            "설정하면 일기는 암호로 암호화됩니다. 시작할 때마다 암호를 묻습니다.",
            "프로그램을 종료한 다음 일기 파일을 다른 디스크에 복사합니다.",
            "별도의 환경에 설치합니다.",
        ],
    ),
    "th": (
        "การตั้งค่า",
        [
            "เมื่อตั้งค่าแล้ว สมุดบันทึกจะถูกเข้ารหัสด้วยรหัสผ่าน ระบบจะถามรหัสผ่านทุกครั้งที่เริ่ม",
            "ปิดโปรแกรมก่อน แล้วคัดลอกไฟล์สมุดบันทึกไปยังดิสก์อื่น",
            "ติดตั้งโปรแกรมในสภาพแวดล้อมแยกต่างหาก",
        ],
    ),
    "fr": (
        "Réglages",
        [
            "Le journal est chiffré par une phrase secrète demandée à chaque démarrage.",
            "Fermez le café, puis copiez les fichiers sur un autre disque.",
        ],
    ),
    "de": (
        "Einstellungen",
        [
            "Das Tagebuch wird mit einer Passphrase verschlüsselt, die bei jedem Start abgefragt wird.",
            "Die Straße zum Bienenstand steht in der Karte der Bienenstöcke.",
            "Eine Umgebungsvariable nennt eine andere Datei.",
        ],
    ),
    "es": ("Ajustes", ["Los diarios cifrados piden una contraseña.", "Los archivos se copian a otro disco."]),
    "ru": ("Настройки", ["Дневник зашифрован паролем.", "Скопируйте файлы дневника на другой диск."]),
}
"""By language: the title of a page, and its sections. The heading of each is its number: only sentences are found."""

ANSWERED = [
    ("如何加密日记？", "zh0"),
    ("怎么备份日记文件？", "zh1"),
    ("安装需要多少磁盘空间？", "zh2"),
    ("日記を暗号化するには？", "ja0"),
    ("バックアップの方法", "ja1"),
    ("日記ファイルのコピー", "ja1"),
    ("インストールするには", "ja2"),
    ("일기를 어떻게 암호화합니까?", "ko0"),
    ("파일을 복사하려면?", "ko1"),
    ("설치하는 방법", "ko2"),
    ("วิธีเข้ารหัสสมุดบันทึก", "th0"),
    ("คัดลอกไฟล์สมุดบันทึก", "th1"),
    ("ติดตั้งโปรแกรมอย่างไร", "th2"),
    ("Comment chiffrer le journal ?", "fr0"),
    ("cafe", "fr1"),
    ("café", "fr1"),
    ("CAFÉ", "fr1"),
    ("cafe\u0301", "fr1"),
    ("phrase secrete", "fr0"),
    ("copier un fichier", "fr1"),
    ("Straße", "de1"),
    ("Strasse", "de1"),
    ("Wo steht der Bienenstock?", "de1"),
    ("Wird das Tagebuch verschlüsselt?", "de0"),
    ("Ist das Tagebuch verschlusselt?", "de0"),
    ("Umgebungsvariablen", "de2"),
    ("contrasena del diario cifrado", "es0"),
    ("copiar los archivos", "es1"),
    ("зашифрован ли дневник", "ru0"),
    ("скопировать файл дневника", "ru1"),
    ("How is the diary encrypted?", "en0"),
]

NOT_ANSWERED = [
    "蜜蜂吃什么？",
    "蜂は何を食べますか",
    "꿀벌은 무엇을 먹습니까?",
    "ผึ้งกินอะไร",
    "Was fressen Bären?",
    "miel d'acacia",
]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One page for each language."""
    folder = tmp_path_factory.mktemp("languages")
    site = folder / "site"
    site.mkdir()
    for language, (title, texts) in PAGES.items():
        body = "".join(f'<h2 id="{language}{n}">{n}</h2><p>{text}</p>' for n, text in enumerate(texts))
        head = f'<html lang="{language}"><meta charset="utf-8"><title>{title}</title>'
        (site / f"{language}.html").write_text(f"<!doctype html>{head}<main><h1>{title}</h1>{body}</main>", "utf-8")
    index_site(site, index=folder / "index", embedder="lexical")
    return folder / "index"


async def answer_of(index: Path, text: str, language: str | None = None) -> Answer:
    service = Service(load_settings({}, options={"index": index}))
    try:
        return await service.ask_whole(Question(text, language=language))
    finally:
        await service.close()


async def ask(index: Path, text: str, language: str | None = None) -> tuple[str, list[str]]:
    answer = await answer_of(index, text, language)
    return answer.verdict, [source.anchor for source in (*answer.sources, *answer.more)]


@pytest.mark.anyio
async def test_each_source_says_in_which_language_its_page_is(index: Path) -> None:
    """So that a page may say it of the passage, for screen readers and fonts."""
    answer = await answer_of(index, "diary journal Tagebuch")
    sources = [*answer.sources, *answer.more]
    assert {source.anchor[:2] for source in sources} == {"de", "en", "fr"}
    assert [source for source in sources if source.language != source.anchor[:2]] == []


@pytest.mark.anyio
@pytest.mark.parametrize(("text", "anchor"), ANSWERED)
async def test_a_question_in_any_language_finds_its_section_among_all_languages(
    index: Path, text: str, anchor: str
) -> None:
    assert (await ask(index, text))[1][:1] == [anchor]


@pytest.mark.anyio
@pytest.mark.parametrize(("text", "anchor"), [*ANSWERED, ("encrypt 是什么？", "zh0")])
async def test_a_section_answers_a_reader_of_its_language(index: Path, text: str, anchor: str) -> None:
    verdict, anchors = await ask(index, text, language=anchor[:2])
    assert (verdict, anchors[:1]) == ("answer", [anchor])


@pytest.mark.anyio
@pytest.mark.parametrize("text", NOT_ANSWERED)
async def test_a_question_that_no_page_answers_is_not_found_in_any_language(index: Path, text: str) -> None:
    assert (await ask(index, text))[0] == "not-found"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("text", "language"),
    [("如何搭建Beehive集群？", "zh"), ("Beehiveクラスタの構築", "ja"), ("Wie gruppiere ich Beehive?", "de")],
)
async def test_a_refusal_names_a_foreign_word_and_not_the_sentence_around_it(
    index: Path, text: str, language: str
) -> None:
    refusal = (await answer_of(index, text, language)).text
    assert "Beehive" in refusal
    assert not {"搭建", "クラスタ", "Wie", "ich"} & set(refusal.replace("Beehive", " ").split())
    assert all(word not in refusal for word in ("集群", "構築"))


@pytest.mark.anyio
@pytest.mark.parametrize(("text", "anchor"), [("日記", "ja0"), ("journal", "fr0"), ("дневник", "ru0")])
async def test_a_word_of_several_languages_is_answered_in_the_one_asked_for(
    index: Path, text: str, anchor: str
) -> None:
    language = anchor[:2]
    verdict, anchors = await ask(index, text, language=language)
    assert verdict == "answer"
    assert anchors
    assert all(found.startswith(language) for found in anchors)
