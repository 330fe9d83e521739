"""The language that the prose of a page is in."""

from __future__ import annotations

import pytest
from tests.plugin.pages import page
from tests.work import is_linear

from trueref_plugin.reading.parse import parse_page
from trueref_plugin.reading.prose_language import prose_language

PROSE = {
    "en": "The kiln is heated in three steps. Open the lid for a moment if the glaze is wet, and close it when you have "
    "looked at it. You can set how long each step takes with an option of the command, or in the file of the program.",
    "de": "Der Ofen wird in drei Schritten geheizt. Öffnen Sie den Deckel für einen Moment, wenn die Glasur noch feucht ist, "
    "und schließen Sie ihn, nachdem Sie nachgesehen haben. Wie lange ein Schritt dauert, kann mit einer Option des Befehls "
    "oder in der Datei des Programms gesetzt werden.",
    "fr": "Le four est chauffé en trois étapes. Ouvrez le couvercle pour un moment si la glaçure est humide, et fermez-le "
    "après avoir regardé. La durée de chaque étape est réglée avec une option de la commande, ou dans le fichier du "
    "programme que vous utilisez pour la cuisson.",
    "es": "El horno se calienta en tres pasos. Abra la tapa por un momento si el esmalte está húmedo, y ciérrela después de "
    "mirar. La duración de cada paso se puede fijar con una opción de la orden, o en el archivo del programa que usa para "
    "la cocción de las piezas.",
    "ja": "窯は三段階で加熱されます。釉薬が湿っている場合は蓋を少し開けてください。各段階の時間は kiln コマンドの --steps オプション"
    "または設定ファイルで指定できます。終了後に温度を確認してください。",
    "zh": "窑炉分三个阶段加热。如果釉料潮湿，请先打开盖子片刻，检查之后再关上。每个阶段的时间可以通过 kiln 命令的 --steps 选项设置，"
    "也可以写在配置文件中。结束之后请检查温度，并记录在日志里。",
    "ru": "Печь нагревается в три этапа. Если глазурь влажная, откройте крышку на минуту и закройте её после проверки. "
    "Время каждого этапа можно задать опцией команды kiln.",
    "": "Піч нагрівається в три етапи. Якщо глазур волога, відкрийте кришку на хвилину і закрийте її після перевірки. "
    "Час кожного етапу можна задати опцією команди kiln.",
}


@pytest.mark.parametrize("language", PROSE)
def test_prose_is_recognised_by_its_script_or_its_words(language: str) -> None:
    assert prose_language([PROSE[language]]) == language


OTHERS = {
    "Catalan": "Per defecte, el programa desa els resultats en la carpeta de l'usuari. Si la carpeta no existeix, es crea la "
    "primera vegada que s'executa l'ordre. Podeu canviar aquest comportament en la configuració, que es llegeix en iniciar "
    "el programa. Els valors es prenen de la configuració del sistema amb una opció.",
    "Galician": "O forno quéntase en tres pasos. Abra a tapa por un momento se o esmalte está húmido, e pécheo despois de "
    "mirar. A duración de cada paso pode fixarse cunha opción da orde, ou no ficheiro do programa que usa para a cocción das "
    "pezas. Unha peza que non seque máis de dous días rompe coa calor do forno.",
    "Afrikaans": "Die oond word in drie stappe verhit. Maak die deksel vir 'n oomblik oop as die glasuur nog nat is, en maak "
    "dit toe nadat jy gekyk het. Hoe lank 'n stap duur, kan met 'n opsie van die opdrag of in die lêer van die program "
    "gestel word. Moenie hierdie lêer verander terwyl die oond warm is nie.",
    "Afrikaans, nearer to German": "Die program stoor die resultate in die gebruiker se gids. As die gids nie bestaan nie, "
    "word dit geskep wanneer jy die opdrag vir die eerste keer gebruik. Hierdie gedrag is in die konfigurasie te vind, en "
    "dit word gelees as die program begin. Kyk in die lys van opsies vir die waardes.",
    "Esperanto": "La forno estas varmigata en tri paŝoj. Malfermu la kovrilon por momento se la glazuro estas malseka, kaj "
    "fermu ĝin post kiam vi rigardis. La daŭro de ĉiu paŝo povas esti difinita per opcio de la komando, aŭ en la dosiero de "
    "la programo kiun vi uzas por la bakado.",
    "Kyrgyz": "Меш үч кадам менен ысытылат. Эгерде глазурь нымдуу болсо, капкагын бир аз убакытка ачып, текшергенден кийин "
    "кайра жабыңыз. Ар бир кадамдын убактысын буйруктун опциясы менен коюуга болот.",
    "Mongolian": "Зуухыг гурван үе шаттайгаар халаана. Паалан чийгтэй бол тагийг хэсэг хугацаанд онгойлгож, шалгасны дараа "
    "буцааж хаана уу. Алхам бүрийн хугацааг тушаалын сонголтоор тохируулж болно.",
    "Tatar": "Мич өч адымда җылытыла. Глазурь дымлы булса, капкачны бер минутка ачыгыз һәм тикшергәннән соң ябыгыз. Һәр "
    "адымның вакытын боерык көйләүләре белән билгеләргә мөмкин.",
}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_with_many_words_or_letters_of_another_is_not_taken_for_that(language: str) -> None:
    assert prose_language([OTHERS[language]]) == ""


def test_a_few_words_of_another_language_make_no_difference() -> None:
    assert prose_language([PROSE["es"] * 4, "Barcelona és bona."]) == "es"


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["Der Ofen ist an."],
        ["kiln steps glaze lid " * 40],
        ["温度"],
        ["日本語, 中文, 한국어, русский"],
    ],
)
def test_too_little_prose_is_not_recognised(texts: list[str]) -> None:
    assert prose_language(texts) == ""


@pytest.mark.parametrize("language", ["de", "fr", "es", "ja", "zh", "ru"])
def test_a_page_that_is_hardly_translated_is_in_english(language: str) -> None:
    assert prose_language([*[PROSE["en"]] * 4, PROSE[language]]) == "en"


def test_code_is_no_prose() -> None:
    code = f"<pre><code># {PROSE['en']}</code></pre>"
    assert parse_page(page(f"<p>{PROSE['de']}</p>{code}{code}")).head.prose_language == "de"


def test_prose_is_recognised_in_linear_time() -> None:
    assert is_linear(lambda text: prose_language([text]), "ы die der")
