/**
 * A blob in S3, or in a store that speaks its protocol: for writers and readers on many machines.
 *
 * <pre>
 *    s3://bucket/prefix --S3Provider--→ S3Uri → S3Clients: the SDK's client → S3Blob: is the bucket there?
 *    name of an object  --S3Keys--→ key: the prefix, and the name without what S3 does not like
 *    create, set        one PUT up to 8 MiB, above that parts of 8 MiB; an object is seen when it is whole
 *    SdkException       --S3Failures--→ it surely did not happen, or it may have
 *    threads: those of the caller; the SDK repeats what fails, with pauses
 * </pre>
 */
@NullMarked
package io.persist.shard.s3;

import org.jspecify.annotations.NullMarked;
