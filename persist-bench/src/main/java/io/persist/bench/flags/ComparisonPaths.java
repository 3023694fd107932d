package io.persist.bench.flags;

import com.beust.jcommander.Parameter;
import io.persist.command.Checks;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The flags of a program that compares engines: where it works, and where it leaves what it has measured. */
public final class ComparisonPaths {

    @Parameter(
            names = "--dir",
            order = 90,
            placeholder = "DIR",
            description = "on the device to measure; all files are in a new directory in it, and deleted")
    private Path dir = Path.of(".");

    @Parameter(
            names = "--output",
            order = 91,
            placeholder = "DIR",
            description = "where to leave each run, for bin/persist report")
    private @Nullable Path output;

    @Parameter(names = "--json", order = 92, placeholder = "FILE", description = "where to leave all numbers")
    private @Nullable Path json;

    /**
     * Makes the directories that are not there.
     *
     * @throws io.persist.command.UsageException if one of them cannot be made, or nothing be written there
     */
    public void make() {
        if (output != null) {
            Checks.directory("--output", output);
        }
        if (json != null) {
            Checks.file("--json", json);
        }
        Checks.directory("--dir", dir);
    }

    public Path dir() {
        return dir;
    }

    public @Nullable Path output() {
        return output;
    }

    public @Nullable Path json() {
        return json;
    }
}
