package io.persist.shard.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.Main;
import io.persist.command.Command;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A program that has ended. */
record Ended(int code, String out, String err) {

    /** Runs what would be typed behind bin/persist; arguments are parted by blanks. */
    static Ended of(String line) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                line.strip().split(" +"),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Ended(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    Ended isWell() {
        assertThat(code).as(out + err).isEqualTo(Command.OK);
        return this;
    }

    List<String> lines() {
        return out.lines().toList();
    }
}
