#!/usr/bin/env python3
"""The competitor in bench/words.sh: hashed words and a linear classifier of scikit-learn.

    words.py FOLDER ROWS     FOLDER has the output of apt-cache dumpavail as packages

Writes FOLDER/train, with at most ROWS texts unless ROWS is 0, and FOLDER/test, with lines
"label text". Prints the seconds to fit and to predict and the error in %.
"""

import os
import random
import sys
import time

from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier

COLUMNS = 2**18


def texts(path):
    """Yields label and description of each package. Sections of libraries have label 1."""
    section = text = None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("Section: "):
                section = line.split("/")[-1].split()[-1]
            elif line.startswith("Description: "):
                text = line.split(": ", 1)[1].strip()
            elif not line.strip():
                if section and text:
                    yield int(section.startswith("lib")), text
                section = text = None


def main(folder, rows):
    all_texts = list(texts(os.path.join(folder, "packages")))
    random.Random(1).shuffle(all_texts)
    cut = len(all_texts) * 3 // 4
    train, test = all_texts[: min(cut, rows or cut)], all_texts[cut:]
    for name, part in ("train", train), ("test", test):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.writelines(f"{label} {text}\n" for label, text in part)
    print(f"{len(train)} texts to learn from, {len(test)} to test on, {sum(y for y, _ in test) / len(test):.1%} of them libraries")
    for loss in "hinge", "log_loss":
        start = time.perf_counter()
        hashing, model = HashingVectorizer(n_features=COLUMNS), SGDClassifier(loss=loss, random_state=1)
        model.fit(hashing.transform(text for _, text in train), [y for y, _ in train])
        learned = time.perf_counter()
        right = model.score(hashing.transform(text for _, text in test), [y for y, _ in test])
        print(f"SGDClassifier, {loss}: {learned - start:.2f} s and {time.perf_counter() - learned:.2f} s, {100 * (1 - right):.2f} % errors")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
