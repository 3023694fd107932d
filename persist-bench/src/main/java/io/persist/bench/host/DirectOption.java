package io.persist.bench.host;

import java.nio.file.OpenOption;
import java.util.Optional;
import java.util.stream.Stream;

/** The option with which a file is opened past the page cache, O_DIRECT. */
public final class DirectOption {

    /** Why there is none. */
    public static final String MISSING = "this JDK has no O_DIRECT";

    private DirectOption() {}

    /** By its name, because javac warns of the class itself and no annotation silences that. */
    public static Optional<OpenOption> find() {
        try {
            return Stream.of(
                            Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants())
                    .filter(option -> option.toString().equals("DIRECT"))
                    .map(OpenOption.class::cast)
                    .findFirst();
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }
}
