CREATE TABLE trueref_schema (version INTEGER NOT NULL PRIMARY KEY);
CREATE TABLE trueref_answers (
    answer_id VARCHAR(32) NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    generation VARCHAR(128) NOT NULL,
    turn INTEGER NOT NULL,
    page TEXT NOT NULL,
    version TEXT NOT NULL,
    language TEXT NOT NULL,
    verdict VARCHAR(16) NOT NULL,
    mode VARCHAR(16) NOT NULL,
    fallback VARCHAR(32) NOT NULL,
    confidence FLOAT NOT NULL,
    cached BOOLEAN NOT NULL,
    milliseconds FLOAT NOT NULL,
    checked INTEGER NOT NULL,
    corrected INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    marks INTEGER NOT NULL,
    question TEXT
);
CREATE INDEX trueref_answers_at ON trueref_answers (at);
CREATE TABLE trueref_sources (
    answer_id VARCHAR(32) NOT NULL,
    n INTEGER NOT NULL,
    page TEXT NOT NULL,
    anchor TEXT NOT NULL,
    section TEXT NOT NULL,
    kind VARCHAR(32) NOT NULL,
    is_cited BOOLEAN NOT NULL,
    PRIMARY KEY (answer_id, n),
    FOREIGN KEY (answer_id) REFERENCES trueref_answers (answer_id) ON DELETE CASCADE
);
CREATE TABLE trueref_ratings (
    answer_id VARCHAR(32) NOT NULL,
    source INTEGER NOT NULL,
    at BIGINT NOT NULL,
    helpful BOOLEAN NOT NULL,
    reason TEXT NOT NULL,
    comment TEXT NOT NULL,
    PRIMARY KEY (answer_id, source),
    FOREIGN KEY (answer_id) REFERENCES trueref_answers (answer_id) ON DELETE CASCADE
);
CREATE TABLE trueref_failures (
    id INTEGER NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    code VARCHAR(32) NOT NULL
);
CREATE INDEX trueref_failures_at ON trueref_failures (at);
INSERT INTO trueref_schema (version) VALUES (1);
INSERT INTO trueref_answers VALUES ('00000000000000aa', 1790000000000, 'g', 0, '', '', '', 'answer', 'extractive', '', 0.5, FALSE, 12.5, 3, 1, 1, 0, 'Why?');
INSERT INTO trueref_sources VALUES ('00000000000000aa', 1, 'install/', 'with-pip', 'With pip', 'guide', TRUE);
INSERT INTO trueref_ratings VALUES ('00000000000000aa', 0, 1790000000001, FALSE, 'It is old.', '');
INSERT INTO trueref_failures (at, code) VALUES (1790000000002, 'internal');
