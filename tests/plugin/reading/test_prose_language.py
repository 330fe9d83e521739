"""The language that the prose of a page is in."""

from __future__ import annotations

import unicodedata

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
    "da": "Ovnen varmes op i tre trin. Åbn låget et øjeblik, hvis glasuren er våd, og luk det igen efter et kig. Hvor længe "
    "et trin varer, kan du angive med en indstilling til kommandoen, eller i den fil som programmet læser, og som ikke må være tom.",
    "nb": "Ovnen varmes opp i tre trinn. Åpne lokket et øyeblikk hvis glasuren er våt, og lukk det igjen etter at du har sett. "
    "Hvor lenge et trinn varer, kan du angi med et valg til kommandoen, eller i filen som programmet leser.",
    "sv": "Ugnen värms upp i tre steg. Öppna locket ett ögonblick om glasyren är våt, och stäng det igen när du har tittat. "
    "Hur länge ett steg varar kan du ange med en flagga till kommandot, eller i den fil som programmet läser.",
    "fi": "Uuni lämmitetään kolmessa vaiheessa. Avaa kansi hetkeksi, jos lasite on vielä märkä, ja sulje se, kun olet "
    "katsonut. Vaiheen kesto on valinta, joka annetaan komennolle tai ohjelman tiedostossa. Huomaa, että ohjelma ei muuta "
    "sitä itse, vaan kysyy, kun se ei ole selvä. Asetukset ovat voimassa, kunnes ne poistetaan, ja se näkyy myös lokissa.",
    "hu": "A kemence három lépésben melegszik fel. Nyissa ki a fedelet egy pillanatra, ha a máz nedves, és zárja be, ha "
    "megnézte. Az egyes lépések ideje a parancs egy kapcsolójával vagy a program fájljában adható meg. Ez az érték nem "
    "lehet nulla, de üres lehet, és csak akkor kell megadni, ha a kemence hideg.",
    "it": "Il forno viene riscaldato in tre passi. Aprire il coperchio per un momento se lo smalto è umido, e chiuderlo dopo "
    "aver guardato. La durata di ogni passo si può impostare con una opzione del comando, o nel file del programma che si "
    "usa per la cottura dei pezzi.",
    "nl": "De oven wordt in drie stappen verwarmd. Open het deksel even als het glazuur nog nat is, en sluit het nadat je hebt "
    "gekeken. Hoe lang een stap duurt, kan met een optie van het commando of in het bestand van het programma worden "
    "ingesteld.",
    "pl": "Piec nagrzewa się w trzech krokach. Jeśli szkliwo jest mokre, otwórz pokrywę na chwilę i zamknij ją po sprawdzeniu. "
    "Czas kroku można ustawić za pomocą opcji polecenia lub w pliku programu, który nie jest pusty. Po zakończeniu sprawdź, "
    "że temperatura spadła, oraz zapisz ją do dziennika.",
    "pt": "O forno é aquecido em três passos. Abra a tampa por um momento se o esmalte estiver úmido, e feche-a depois de "
    "olhar. A duração de cada passo pode ser definida com uma opção do comando, ou no arquivo do programa que você usa para "
    "a queima das peças.",
    "ro": "Cuptorul se încălzește în trei pași. Deschideți capacul pentru un moment dacă glazura este umedă, și închideți-l "
    "după ce ați privit. Durata unui pas se poate stabili cu o opțiune din comandă sau în fișierul de program pe care îl "
    "folosiți la ardere, care nu este gol.",
    "tr": "Fırın üç adımda ısıtılır. Sır ıslak ise kapağı bir an için açın ve baktıktan sonra kapatın. Her adımın süresi bir "
    "seçenek ile veya program dosyasında ayarlanır. Bu dosya çok uzun olan satırlar içermez ve her satır bir ayar olarak "
    "okunur. Daha fazla bilgi için bu sayfaya da bakın, ya da gibi sözcükleri arayın.",
    "ko": "가마는 세 단계로 가열됩니다. 유약이 젖어 있으면 뚜껑을 잠시 열고 확인한 다음 다시 닫으십시오. 각 단계의 시간은 kiln 명령의 옵션이나 "
    "설정 파일에서 지정할 수 있습니다. 끝난 뒤에는 온도를 확인하고 기록하십시오.",
    "el": "Ο φούρνος θερμαίνεται σε τρία βήματα. Ανοίξτε το καπάκι για λίγο αν το σμάλτο είναι υγρό, και κλείστε το αφού "
    "κοιτάξετε. Η διάρκεια κάθε βήματος ορίζεται με μια επιλογή της εντολής kiln.",
    "ar": "يسخن الفرن على ثلاث مراحل. افتح الغطاء للحظة إذا كان الطلاء رطبا ثم أغلقه بعد النظر. يمكن تحديد مدة كل مرحلة بخيار "
    "من خيارات الأمر kiln أو في ملف البرنامج.",
    "th": "เตาเผาจะร้อนขึ้นเป็นสามขั้น ถ้าเคลือบยังเปียกให้เปิดฝาสักครู่แล้วปิดหลังจากตรวจดู เวลาของแต่ละขั้นกำหนดได้ด้วยตัวเลือกของคำสั่ง kiln",
    "ta": "சூளை மூன்று படிகளில் சூடாக்கப்படுகிறது. மெருகு ஈரமாக இருந்தால் மூடியை சிறிது நேரம் திறந்து, பார்த்த பிறகு மூடவும். ஒவ்வொரு "
    "படியின் நேரத்தையும் kiln கட்டளையின் விருப்பத்தால் அமைக்கலாம்.",
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


@pytest.mark.parametrize("piece", ["ы die der", "\u0301\u0316", "a" + "\u0301\u0316" * 40, "。"])
def test_prose_is_recognised_in_linear_time(piece: str) -> None:
    assert is_linear(lambda text: prose_language([text]), piece)


def test_a_letter_with_a_combining_mark_is_one() -> None:
    assert prose_language([unicodedata.normalize("NFD", PROSE["de"])]) == "de"
