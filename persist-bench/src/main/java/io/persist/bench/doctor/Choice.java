package io.persist.bench.doctor;

/**
 * A setting that suits a directory.
 *
 * @param name as in {@code LogConfig}
 * @param value in the words of the code
 * @param why half a sentence, and when not
 */
record Choice(String name, String value, String why) {}
