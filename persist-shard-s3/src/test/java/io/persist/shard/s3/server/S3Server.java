package io.persist.shard.s3.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Path;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;

/** A server that speaks S3's protocol on a free port of the loopback, for tests and benchmarks. */
public final class S3Server implements AutoCloseable {

    /** The name of who may use it. */
    public static final String ACCESS_KEY = "persist-access";

    /** Their secret. */
    public static final String SECRET_KEY = "persist-secret";

    private final BlobStore store;
    private final S3Proxy proxy;

    private S3Server(BlobStore store, S3Proxy proxy) {
        this.store = store;
        this.proxy = proxy;
    }

    /** One whose objects are in memory. */
    public static S3Server start() throws IOException {
        return start(new TransientNio2BlobStore());
    }

    /** One whose objects are files below {@code directory}, which is the caller's. */
    public static S3Server start(Path directory) throws IOException {
        return start(new FilesystemNio2BlobStore(directory.toAbsolutePath().toString()));
    }

    private static S3Server start(BlobStore store) throws IOException {
        S3Proxy proxy = S3Proxy.builder()
                .blobStore(store)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, ACCESS_KEY, SECRET_KEY)
                .stopTimeout(0)
                .build();
        try {
            proxy.start();
        } catch (Exception refused) {
            throw new IOException("the S3 server does not start: " + refused.getMessage(), refused);
        }
        return new S3Server(store, proxy);
    }

    /** The port, on 127.0.0.1. */
    public int port() {
        return proxy.getPort();
    }

    /** For a client that is given a bucket's URI: its address alone. */
    public String endpoint() {
        return "http://127.0.0.1:" + port();
    }

    /** Makes {@code bucket} if it is not there; says its URI. */
    public String uri(String bucket) {
        if (!store.containerExists(bucket)) {
            store.createContainer(bucket);
        }
        return uri(bucket, endpoint());
    }

    /** The URI of a bucket of a server at {@code endpoint}. */
    public static String uri(String bucket, String endpoint) {
        return "s3://" + bucket + "/?region=us-east-1&endpoint=" + URLEncoder.encode(endpoint, UTF_8);
    }

    /** From now on the clients of this JVM have this server's credentials. */
    public static void useCredentials() {
        System.setProperty("aws.accessKeyId", ACCESS_KEY);
        System.setProperty("aws.secretAccessKey", SECRET_KEY);
    }

    @Override
    public void close() throws IOException {
        try {
            proxy.stop();
        } catch (Exception refused) {
            throw new IOException("the S3 server does not stop: " + refused.getMessage(), refused);
        } finally {
            store.close();
        }
    }

    /**
     * A server in a JVM of its own: prints its endpoint as a line, and ends when standard input does.
     *
     * @param arguments the directory of its files, or nothing for memory; then the names of buckets to make
     */
    public static void main(String[] arguments) throws IOException {
        S3Server server = arguments.length == 0 || arguments[0].isEmpty() ? start() : start(Path.of(arguments[0]));
        for (int i = 1; i < arguments.length; i++) {
            server.uri(arguments[i]);
        }
        System.out.println(server.endpoint());
        awaitEnd();
        Runtime.getRuntime().halt(0); // whatever is under way
    }

    private static void awaitEnd() throws IOException {
        byte[] ignored = new byte[1_000];
        while (System.in.read(ignored) >= 0) {}
    }
}
