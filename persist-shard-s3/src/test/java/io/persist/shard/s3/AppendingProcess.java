package io.persist.shard.s3;

import io.persist.shard.ShardClient;
import io.persist.shard.ShardWriter;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.model.AppendResult;
import io.persist.shard.model.AppendToken;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import io.persist.shard.s3.server.S3Server;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A process that appends rows of its own to a shard, and prints the key of each when it is acknowledged. */
final class AppendingProcess {

    /** So that one process leaves some of the CPU to those that start. */
    private static final long LONGEST_PAUSE_NS = 10_000_000;

    private AppendingProcess() {}

    /** Arguments: blob, consensus, shard, name. It begins at the first line of standard input, and ends with it. */
    public static void main(String[] arguments) throws IOException {
        S3Server.useCredentials();
        ShardConfig config =
                ShardConfig.builder().inlineBatchBytes(150).rollupEvery(16).build();
        try (ShardClient client = ShardClient.open(arguments[0], arguments[1], config)) {
            ShardWriter<String, String> writer =
                    client.shard(arguments[2], Codec.utf8(), Codec.utf8()).writer();
            AtomicBoolean isOver = new AtomicBoolean(System.in.read() < 0);
            Thread input = new Thread(() -> awaitEndOfInput(isOver));
            input.setDaemon(true);
            input.start();
            for (int i = 0; !isOver.get(); i++) {
                String key = arguments[3] + "-" + i;
                append(writer, key, i % 2 == 0 ? "" : "x".repeat(300));
                System.out.println(key);
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NS));
            }
        }
    }

    private static void awaitEndOfInput(AtomicBoolean isOver) {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException closed) {
            // the same
        }
        isOver.set(true);
    }

    private static void append(ShardWriter<String, String> writer, String key, String value) {
        AppendResult result = null;
        while (result == null || !result.isAppended()) {
            Frontier upper = writer.upper();
            AppendToken token = AppendToken.random();
            List<Update<String, String>> row = List.of(new Update<>(key, value, upper.time(), 1));
            result = null;
            while (result == null) {
                try {
                    result = writer.compareAndAppend(token, row, upper, Frontier.after(upper.time()));
                } catch (IndeterminateException unknown) {
                    // the same again, with the same token
                }
            }
        }
    }
}
