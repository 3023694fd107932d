package io.persist.bench.doctor.diagnosis;

/**
 * A setting that suits a directory.
 *
 * @param name of a setting of {@code LogConfig}, or of an enum
 * @param value as in code
 * @param why half a sentence, and when not
 */
public record Choice(String name, String value, String why) {}
